/** A call's URL, ready to be matched. */
export type CallUrl =
  | {
    readonly ok: true;
    /** The URL as the call has it. */
    readonly raw: string;
    /** As the platform writes it, without its fragment. */
    readonly href: string;
    /** The scheme, without its colon. */
    readonly scheme: string;
    /** The host in lower case, without a final dot; empty for schemes that have none. */
    readonly host: string;
    /** The port, the scheme's own when the URL names none; empty when there is none. */
    readonly port: string;
    /** Path and query. */
    readonly path: string;
    /** Path, query and fragment, percent-decoded. */
    readonly decoded: string;
  }
  | { readonly ok: false; readonly raw: string; readonly detail: string };

/** The port that a scheme means when a URL names none (WHATWG URL, special schemes). */
export const OWN_PORTS: Readonly<Record<string, string>> = {
  http: "80",
  https: "443",
  ws: "80",
  wss: "443",
  ftp: "21",
};

/** Reads a call's URL as the platform parses it (WHATWG URL). What parsers read differently is malformed. */
export function callUrl(raw: string): CallUrl {
  const fault = textFault(raw);
  if (fault !== undefined) return { ok: false, raw, detail: fault };
  if (!URL.canParse(raw)) return { ok: false, raw, detail: "it is not an absolute URL" };
  const url = new URL(raw);
  const scheme = url.protocol.slice(0, -1);
  const host = url.hostname.replace(/\.$/, "");
  const path = url.pathname + url.search;
  const decoded = percentDecoded(path + url.hash);
  const odd = urlFault(url, { host, scheme });
  if (odd !== undefined) return { ok: false, raw, detail: odd };
  const port = url.port || (OWN_PORTS[scheme] ?? "");
  const href = new URL(raw);
  href.hash = "";
  return { ok: true, raw, href: href.href.replace(/#$/, ""), scheme, host, port, path, decoded };
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
  if (/^[a-z][a-z0-9+.-]*:/i.test(url.pathname) && !(scheme in OWN_PORTS)) {
    return "it holds another URL";
  }
  if (host.endsWith(".") || host.startsWith(".") || host.includes("..")) {
    return "its host has an empty label";
  }
  if (scheme in OWN_PORTS && host === "") return "it has no host";
  let path = url.pathname;
  for (let round = 0; round < 3; round++) {
    path = percentDecoded(path);
    if (/(^|[/\\])\.\.?([/\\]|$)/.test(path) || path.includes("\\")) {
      return "its path has an encoded dot segment or backslash";
    }
  }
  return undefined;
}

/** The text with its percent escapes undone as UTF-8; a `%` that begins no escape stays. Never throws. */
export function percentDecoded(text: string): string {
  return text.replace(/(?:%[0-9a-f]{2})+/gi, (run) => {
    const bytes = Uint8Array.from(run.slice(1).split("%"), (pair) => parseInt(pair, 16));
    return new TextDecoder().decode(bytes);
  });
}

/**
 * The path that a `file:` URL names, also a malformed one that the platform reads all the same; undefined for other
 * schemes. One on another host is no path of this machine: the empty path, malformed everywhere, says so.
 */
export function filePathOf(facts: CallUrl): string | undefined {
  if (!URL.canParse(facts.raw)) return undefined;
  const url = new URL(facts.raw);
  if (url.protocol !== "file:") return undefined;
  return url.hostname === "" ? percentDecoded(url.pathname) : "";
}
