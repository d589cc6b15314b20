import { fromBoolean, type Match } from "../../model/verdict.ts";
import { failed, type Glob, matchGlob, onlyText, type Parsed, parsed, parseGlob } from "../glob.ts";
import { type CallUrl, DEFAULT_PORTS, percentDecoded } from "./call_url.ts";

/** One part of a host pattern between dots: any labels, or a glob within one label. */
export type HostLabel = { readonly kind: "anyLabels" } | {
  readonly kind: "label";
  readonly glob: Glob;
};

/** The parts of a URL pattern. */
export interface UrlParts {
  readonly scheme: Glob;
  /** The host as a string glob: `*` is any text. */
  readonly host: Glob;
  /** The host's labels: a `*` that is a label stands for one or more labels, any other for nothing. */
  readonly labels: readonly HostLabel[];
  /** The port: digits, or `*` for any; absent if the pattern has none. */
  readonly port?: string;
  /** Path and query; absent if the pattern ends in its host, which allows any. */
  readonly path?: Glob;
}

/**
 * Splits a URL pattern into its parts; undefined without `://`. Fails if only malformed URLs could match. A host without
 * wildcards is put into the normal form of the platform (punycode, lower case, numeric addresses).
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
    return failed(start, "a URL with a user name is malformed, so nothing matches this");
  }
  const question = authority.search(/\?/);
  if (question >= 0) {
    return failed(
      start + question,
      'a "?" in the host stands for any character',
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
      `"${hostText}" is not a host name`,
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

/** The host in the normal form of the platform, wildcards kept; undefined if it is not a host. */
export function normalHost(text: string): string | undefined {
  const host = text.replace(/\.$/, "");
  if (host === "") return "";
  // The platform reads a backslash as a slash, and drops a tab or a newline.
  if (/[\\\s]/.test(host)) return undefined;
  // Avoids loading the parser of the platform for a host that it does not change; a last number would be an address.
  if (/^([a-z0-9_-]+\.)*[a-z][a-z0-9_-]*$/.test(host) && !/(^|\.)xn--/.test(host)) return host;
  if (!/[*?]/.test(host)) {
    return URL.canParse(`http://${host}/`)
      ? new URL(`http://${host}/`).hostname.replace(/\.$/, "")
      : undefined;
  }
  // Punycode cannot express a label with a wildcard, which must therefore be ASCII.
  const labels = host.split(".").map((label) => {
    if (/^[\x21-\x7e]*$/.test(label)) return label.toLowerCase();
    return /[*?]/.test(label) || !URL.canParse(`http://${label}.x/`)
      ? undefined
      : new URL(`http://${label}.x/`).hostname.slice(0, -2);
  });
  return labels.includes(undefined) ? undefined : labels.join(".");
}

/** True if the labels of a host match those of a pattern. */
function fitsLabels(
  pattern: readonly HostLabel[],
  host: string,
  fits: (glob: Glob, label: string) => boolean,
): boolean {
  const labels = host === "" ? [] : host.startsWith("[") ? [host] : host.split(".");
  let positions = new Set([0]);
  for (const wanted of pattern) {
    const next = new Set<number>();
    for (const at of positions) {
      if (wanted.kind === "anyLabels") {
        for (let end = at + 1; end <= labels.length; end++) next.add(end);
      } else if (at < labels.length && fits(wanted.glob, labels[at]!)) next.add(at + 1);
      else if (labels.length === 0 && onlyText(wanted.glob) === "") next.add(at);
    }
    positions = next;
  }
  return positions.has(labels.length);
}

type UrlMatcher = (url: CallUrl) => Match;

type WellFormedUrl = Extract<CallUrl, { ok: true }>;

/** The matcher of an allow rule. A pattern without `://` matches nothing, since its wildcards would include the host. */
export function mustUrlMatcher(parts: UrlParts | undefined): UrlMatcher {
  return (url) => {
    if (!url.ok) return "indeterminate";
    return fromBoolean(parts !== undefined && mustMatch(parts, url));
  };
}

function mustMatch(parts: UrlParts, url: WellFormedUrl): boolean {
  const own = DEFAULT_PORTS[url.scheme] ?? "";
  const port = parts.port ?? own;
  return matchGlob(parts.scheme, url.scheme) &&
    fitsLabels(parts.labels, url.host, matchGlob) &&
    (port === "*" || port === url.port) &&
    (parts.path === undefined || matchGlob(parts.path, url.path));
}

/**
 * The matcher of a deny or ask rule: matches part by part, with any port and the path percent-decoded too, or as a string glob
 * over the URL as written, in normal form, or decoded. An ask that matches the path in one of these forms only is
 * indeterminate: it must not end the search for a deny of the others.
 */
export function mayUrlMatcher(
  parts: UrlParts | undefined,
  glob: Glob,
  { asks = false }: { readonly asks?: boolean | undefined } = {},
): UrlMatcher {
  // A pattern with escapes (`/a%2Fb`) matches the decoded path as it is decoded itself.
  const plain = { glob: decodedGlob(glob), parts: parts && withDecodedPath(parts) };
  return (url) => {
    if (!url.ok) return "indeterminate";
    // A fragment is no part of what is fetched.
    const decoded = new Set([url.decoded, percentDecoded(url.path)]);
    const isMet = [
      mayMatchAs({ glob, parts }, { url, path: url.path }),
      [...decoded].some((path) => mayMatchAs({ glob, parts }, { url, path })),
    ];
    isMet[0] ||= matchGlob(glob, url.href);
    if (asks && isMet[0] !== isMet[1] && url.path !== url.decoded) return "indeterminate";
    if (isMet.includes(true)) return "yes";
    const isMetElse = matchGlob(glob, url.raw) ||
      plain.glob !== glob && [...decoded].some((path) => mayMatchAs(plain, { url, path }));
    return isMetElse ? asks ? "indeterminate" : "yes" : "no";
  };
}

interface Reading {
  readonly url: WellFormedUrl;
  readonly path: string;
}

/** True if a pattern matches a reading of a URL as a text, with or without its port, or part by part. */
function mayMatchAs(
  { glob, parts }: { readonly glob: Glob; readonly parts: UrlParts | undefined },
  { url, path }: Reading,
): boolean {
  return matchGlob(glob, originOf(url) + path) ||
    matchGlob(glob, `${url.scheme}://${url.host}${path}`) ||
    parts !== undefined && mayMatch(parts, { url, path });
}

/** The glob with the escapes of its literal text decoded; itself without any. */
function decodedGlob(glob: Glob): Glob {
  if (!glob.some((token) => token.kind === "text" && token.text.includes("%"))) return glob;
  return glob.map((token) =>
    token.kind === "text" ? { ...token, text: percentDecoded(token.text) } : token
  );
}

function withDecodedPath(parts: UrlParts): UrlParts {
  return parts.path === undefined ? parts : { ...parts, path: decodedGlob(parts.path) };
}

function mayMatch(
  parts: UrlParts,
  { url, path }: Reading,
): boolean {
  return matchGlob(parts.scheme, url.scheme) &&
    (matchGlob(parts.host, url.host) || fitsLabels(parts.labels, url.host, matchGlob)) &&
    (parts.port === undefined || parts.port === "*" || parts.port === url.port) &&
    (parts.path === undefined ||
      [path, withoutQuery(path)].some((text) => matchGlob(parts.path!, text)));
}

/** The path without query and fragment, which do not make a denied page another page. */
function withoutQuery(path: string): string {
  return path.replace(/[?#].*$/su, "");
}

function originOf(url: WellFormedUrl): string {
  const port = url.port === (DEFAULT_PORTS[url.scheme] ?? "") ? "" : `:${url.port}`;
  return `${url.scheme}://${url.host}${port}`;
}

/** The matcher of `domain:host`: that host or a subdomain of it; for an allow rule (`must`) over http and https only. */
export function domainMatcher(
  host: string,
  { semantics }: { semantics: "must" | "may" },
): UrlMatcher {
  return (url) => {
    if (!url.ok) return "indeterminate";
    if (semantics === "must" && url.scheme !== "http" && url.scheme !== "https") return "no";
    return fromBoolean(url.host === host || url.host.endsWith(`.${host}`));
  };
}
