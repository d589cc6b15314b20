import { HOLE } from "./tree.ts";

/**
 * The file that a URL names; `open` where it may name one that the line does not fix, undefined where it names none. curl
 * counts out braces and brackets by itself, and takes what has no scheme for http or ftp.
 */
export function localPath(shape: string): { readonly text: string } | "open" | undefined {
  const head = shape.slice(0, shape.search(ANY));
  const scheme = /^\s*([A-Za-z][A-Za-z0-9+.-]*):/.exec(ANY.test(shape) ? head : shape)?.[1];
  if (scheme === undefined) return ANY.test(shape) ? "open" : undefined;
  if (scheme.toLowerCase() !== "file") return undefined;
  if (ANY.test(shape)) return "open";
  const path = shape.replace(/^\s*file:(?:\/\/[^/]*)?/i, "");
  try {
    return { text: decodeURIComponent(path.replace(/[?#].*$/s, "")) };
  } catch (error) {
    if (error instanceof URIError) return "open";
    throw error;
  }
}

const ANY = new RegExp(`[{}[\\]*?${HOLE}]`);
