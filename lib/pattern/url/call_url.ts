export type CallUrl =
  | {
    readonly ok: true;
    /** As written in the call. */
    readonly raw: string;
    /** In normal form, without its fragment. */
    readonly href: string;
    /** The scheme without its colon. */
    readonly scheme: string;
    /** The host in lower case, without a final dot; empty for schemes without one. */
    readonly host: string;
    /** The port, by default that of the scheme; empty if there is none. */
    readonly port: string;
    /** Path and query. */
    readonly path: string;
    /** Path, query and fragment, percent-decoded. */
    readonly decoded: string;
  }
  | { readonly ok: false; readonly raw: string; readonly detail: string };

/** The default ports (WHATWG URL, special schemes). */
export const DEFAULT_PORTS: Readonly<Record<string, string>> = {
  http: "80",
  https: "443",
  ws: "80",
  wss: "443",
  ftp: "21",
};

/** Parses the URL of a call (WHATWG URL). A URL that parsers read differently is malformed. */
export function callUrl(raw: string): CallUrl {
  const fault = textFault(raw);
  if (fault !== undefined) return { ok: false, raw, detail: fault };
  if (!URL.canParse(raw)) return { ok: false, raw, detail: "it is not an absolute URL" };
  const url = new URL(raw);
  const scheme = url.protocol.slice(0, -1);
  // The platform leaves the host of a scheme that it does not know as it is written.
  const host = url.hostname.toLowerCase().replace(/\.$/, "");
  const path = url.pathname + url.search;
  const decoded = percentDecoded(path + url.hash);
  const detail = urlFault(url, { host, scheme });
  if (detail !== undefined) return { ok: false, raw, detail };
  const port = url.port || (DEFAULT_PORTS[scheme] ?? "");
  const href = new URL(raw);
  href.hash = "";
  const normal = href.href.replace(url.hostname, (name) => name.toLowerCase());
  return { ok: true, raw, href: normal.replace(/#$/, ""), scheme, host, port, path, decoded };
}

function textFault(raw: string): string | undefined {
  if (raw === "") return "it is empty";
  // deno-lint-ignore no-control-regex
  if (/[\u0000-\u0020\u007f-\u00a0\s]/u.test(raw)) {
    return "it has white space or a control character";
  }
  if (raw.includes("\\")) return "it has a backslash";
  return raw.isWellFormed() ? undefined : "it is not well-formed Unicode";
}

function urlFault(
  url: URL,
  { host, scheme }: { host: string; scheme: string },
): string | undefined {
  if (url.username !== "" || url.password !== "" || /^[a-z]+:\/*[^/?#]*@/i.test(url.href)) {
    return "it has a user name";
  }
  if (/^[a-z][a-z0-9+.-]*:/i.test(url.pathname) && !(scheme in DEFAULT_PORTS)) {
    return "it holds another URL";
  }
  if (host.endsWith(".") || host.startsWith(".") || host.includes("..")) {
    return "its host has an empty label";
  }
  if (host.includes("%")) return "its host has an escape";
  if (scheme in DEFAULT_PORTS && host === "") return "it has no host";
  let path = url.pathname;
  for (let round = 0; round < 3; round++) {
    path = percentDecoded(path);
    if (/(^|[/\\])\.\.?([/\\]|$)/.test(path) || path.includes("\\")) {
      return "its path has an encoded dot segment or backslash";
    }
  }
  return undefined;
}

/** The text with percent escapes decoded as UTF-8; a `%` without an escape stays. Never throws. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (pair) => parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/**
 * The path of a `file:` URL, even of a malformed one that the platform accepts; undefined for other schemes. A URL with a host
 * names no path of this machine: it yields the empty path, which is malformed everywhere.
 */
export function filePathOf({ raw }: CallUrl): string | undefined {
  if (!URL.canParse(raw)) return undefined;
  const url = new URL(raw);
  if (url.protocol !== "file:") return undefined;
  return url.hostname === "" ? percentDecoded(url.pathname) : "";
}
