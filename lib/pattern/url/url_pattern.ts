import { failed, type Glob, onlyText, type Parsed, parsed, parseGlob } from "../glob.ts";

/** A label of a host pattern: `run` for whole labels, else a glob within one label. */
export type HostLabel = { readonly kind: "anyLabels" } | {
  readonly kind: "label";
  readonly glob: Glob;
};

/** A URL pattern cut into the parts that a URL has. */
export interface UrlParts {
  /** The scheme. */
  readonly scheme: Glob;
  /** The host as a string glob: `*` any characters. */
  readonly host: Glob;
  /** The host's labels: a `*` that is a label stands for one or more whole labels, any other for nothing. */
  readonly labels: readonly HostLabel[];
  /** The port: digits, `*` for any; absent when the pattern names none. */
  readonly port?: string;
  /** Path and query; absent when the pattern ends in its host, which leaves them free. */
  readonly path?: Glob;
}

/**
 * Cuts a URL pattern into its parts; undefined when it has no `://`. Fails on what no URL that is not malformed can fit.
 * A host without wildcards is written as the platform writes it (punycode, lower case, numeric addresses).
 */
export function urlParts(text: string): Parsed<UrlParts | undefined> {
  const cut = text.indexOf("://");
  if (cut < 0) return parsed(undefined);
  const scheme = parseGlob(text.slice(0, cut).toLowerCase());
  if (!scheme.ok) return scheme;
  const start = cut + 3;
  const length = text.slice(start).search(/[/#]/);
  const authority = length < 0 ? text.slice(start) : text.slice(start, start + length);
  if (authority.includes("@")) {
    return failed(start, "a URL with a user name is malformed, so nothing fits this");
  }
  const question = authority.search(/\?/);
  if (question >= 0) {
    return failed(
      start + question,
      'a "?" in the host would stand for any character',
      "write / before a query, and \\? for the question mark itself",
    );
  }
  const { hostText, port } = splitPort(authority);
  if (port !== undefined && !/^(\*|\d{1,5})$/.test(port)) {
    return failed(start, `the port "${port}" is neither a number nor *`);
  }
  const host = normalHost(hostText);
  if (host === undefined) {
    return failed(
      start,
      `"${hostText}" is no host`,
      "write a host name; punycode for a wildcard next to a non-ASCII letter",
    );
  }
  const glob = parseGlob(host);
  if (!glob.ok) return failed(start + glob.error.at, glob.error.detail);
  const path = length < 0 ? undefined : parseGlob(text.slice(start + length));
  if (path && !path.ok) return failed(start + length + path.error.at, path.error.detail);
  return parsed({
    scheme: scheme.value,
    host: glob.value,
    labels: hostLabels(host),
    ...(port === undefined ? {} : { port }),
    ...(path === undefined ? {} : { path: path.value }),
  });
}

function splitPort(authority: string): { hostText: string; port?: string } {
  const cut = /:([^:\]]*)$/.exec(authority);
  if (!cut) return { hostText: authority };
  return { hostText: authority.slice(0, cut.index), port: cut[1]! };
}

function hostLabels(host: string): readonly HostLabel[] {
  if (host.startsWith("[")) return [{ kind: "label", glob: [{ kind: "text", text: host }] }];
  return host.split(".").map((label): HostLabel => {
    if (label === "*") return { kind: "anyLabels" };
    const glob = parseGlob(label.replaceAll("*", ""));
    return { kind: "label", glob: glob.ok ? glob.value : [] };
  });
}

/** The host as the platform writes it, wildcards kept; undefined when it is no host. */
export function normalHost(text: string): string | undefined {
  const host = text.replace(/\.$/, "");
  if (host === "") return "";
  // The platform would read a backslash as a slash, and drop a tab or a newline.
  if (/[\\\s]/.test(host)) return undefined;
  // What the platform leaves as it is need not be asked: its parser takes a while to load. A last number is an address.
  if (/^([a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/.test(host) && !/(^|\.)xn--/.test(host)) return host;
  if (!/[*?]/.test(host)) {
    return URL.canParse(`http://${host}/`)
      ? new URL(`http://${host}/`).hostname.replace(/\.$/, "")
      : undefined;
  }
  // A label with a wildcard cannot be put into punycode, so it must be ASCII.
  const labels = host.split(".").map((label) => {
    if (/^[\x21-\x7e]*$/.test(label)) return label.toLowerCase();
    return /[*?]/.test(label) || !URL.canParse(`http://${label}.x/`)
      ? undefined
      : new URL(`http://${label}.x/`).hostname.slice(0, -2);
  });
  return labels.includes(undefined) ? undefined : labels.join(".");
}

/** Whether the host's labels fit the pattern's. */
export function fitsLabels(
  pattern: readonly HostLabel[],
  host: string,
  fits: (glob: Glob, label: string) => boolean,
): boolean {
  const labels = host === "" ? [] : host.startsWith("[") ? [host] : host.split(".");
  let reached = new Set([0]);
  for (const wanted of pattern) {
    const next = new Set<number>();
    for (const at of reached) {
      if (wanted.kind === "anyLabels") {
        for (let end = at + 1; end <= labels.length; end++) next.add(end);
      } else if (at < labels.length && fits(wanted.glob, labels[at]!)) next.add(at + 1);
      else if (labels.length === 0 && onlyText(wanted.glob) === "") next.add(at);
    }
    reached = next;
  }
  return reached.has(labels.length);
}
