import defaults from "../../defaults/tools.json" with { type: "json" };
import type { Json } from "../model/call.ts";
import { percentDecoded } from "../pattern/url/call_url.ts";

/** The schemes of what is not in a file system. */
const NETWORK: ReadonlySet<string> = new Set(defaults.keys.network_schemes);
/** The longest text that is read as JSON, in UTF-16 code units. */
const MAX_JSON = 1_000_000;
/** The most parts of a text that is read as a list. */
const MAX_PARTS = 200;

/** The object or list that a text is in JSON; undefined for other texts. Some tools take their arguments so. */
export function jsonIn(text: string): Json | undefined {
  if (text.length > MAX_JSON || !/^\s*(?:\{[^]*\}|\[[^]*\])\s*$/.test(text)) return undefined;
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** True for a text that may be JSON and is too long to be read as such. */
export function isLongJson(text: string): boolean {
  return text.length > MAX_JSON && /^\s*[{[]/.test(text);
}

const SEPARATORS = /[\n\r\t,;|\0]+/;

/** True for a list of more members than are read. */
export function isLongList(text: string): boolean {
  return text.split(SEPARATORS, MAX_PARTS + 1).length > MAX_PARTS;
}

/** A text as agents trim paths and URLs. */
export function trimmedText(text: string): string {
  return text.replace(/^@/, "").trim();
}

/**
 * The further texts that a tool may read a text as: the members of a list by line breaks, commas, semicolons or, of URLs,
 * blanks; and a URL without the tabs and line breaks that its parsers drop.
 */
export function otherTexts(kind: "file" | "url", text: string): readonly string[] {
  const joined = text.replace(/[\t\n\r]/g, "");
  const parts = text.split(SEPARATORS, MAX_PARTS);
  const urls = kind === "url"
    ? text.split(/[\s,;|\0]+/, MAX_PARTS).filter((each) => each.includes("://"))
    : [];
  const found = [joined, ...(parts.length > 1 ? parts : []), ...urls].map(trimmedText)
    .map((each) => each.replace(/^(["'])(.*)\1$/s, "$2"));
  return [...new Set(found)].filter((each) => each !== "" && each !== text);
}

/** The most times that a text is decoded. */
const MAX_ROUNDS = 3;

/** A text with its percent escapes decoded, and decoded once more; none without escapes. */
export function decodings(text: string): readonly string[] {
  const found: string[] = [];
  for (let last = text; found.length < MAX_ROUNDS && /%[0-9a-f]{2}/i.test(last);) {
    const next = percentDecoded(last);
    if (next === last) break;
    found.push(last = next);
  }
  return found;
}

/** A URL without its scheme as a client completes it; undefined for other texts. */
export function hostUrl(text: string): string | undefined {
  const rest = text.replace(/^\/\//, "");
  const isHost = rest !== text ||
    /^(?:[\p{L}\p{N}_-]+\.)+[\p{L}\p{N}-]+\.?(?::\d+)?(?:[/?#]|$)/u.test(rest) ||
    /^(?:localhost|\[[0-9a-f:.]+\])(?::\d+)?(?:[/?#]|$)/i.test(rest);
  return isHost && URL.canParse(`https://${rest}`) ? `https://${rest}` : undefined;
}

/** The most URLs in one another. */
const MAX_URLS = 3;

/**
 * The paths in a URI of a scheme that is not the network's (`vscode-remote://host/x`, `memfs:/x`, `jar:file:///x`): with and
 * without its first part, as written and decoded.
 */
export function uriPaths(text: string, rounds = MAX_URLS): readonly string[] {
  const [, scheme, rest] = /^([a-z][a-z0-9+.-]+):(?!\s)(.+)$/is.exec(text) ?? [];
  if (scheme === undefined || rest === undefined || rounds === 0) return [];
  if (NETWORK.has(scheme.toLowerCase())) return [];
  const relative = rest.replace(/^\/\//, "");
  const absolute = rest.replace(/^\/\/[^/?#]*/, "");
  const paths = [relative, absolute].flatMap((path) => [path, path.replace(/[?#].*$/s, "")])
    .filter((path) => path !== "" && path !== "/");
  return [
    ...new Set([...paths, ...paths.flatMap(decodings), ...uriPaths(rest, rounds - 1)]),
  ];
}
