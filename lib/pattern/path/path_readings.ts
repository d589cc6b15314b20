import { callUrl, filePathOf } from "../url/call_url.ts";

/**
 * The changes that tools make to a path before they open it. `trim`: white space, control and invisible characters at its
 * edges go. `at`: a leading `@` goes. `nul`: NUL characters go. `quotes`: a pair of quotes around it goes. `url`: a `file:` URL
 * is the path that it names.
 */
export const PATH_CHANGES = ["trim", "at", "nul", "quotes", "url"] as const;

/** A change that a tool makes to a path. */
export type PathChange = typeof PATH_CHANGES[number];

/** The reading of paths by the tools that make a call. */
export interface PathReading {
  /** The changes that they may make, each of them or not. */
  readonly changes: readonly PathChange[];
  /** Set if a relative path that is not there stands for a file of the workspace whose path ends in it. */
  readonly finds?: true;
}

/** The reading where the tools are not known: any change may be made. */
export const ANY_CHANGE: PathReading = { changes: PATH_CHANGES };

/** The reading of tools that open a path as it is written. */
export const AS_WRITTEN: PathReading = { changes: [] };

/** All readings of a path. */
export interface PathReadings {
  /** The text as written first, then each text that a tool may read it as. */
  readonly texts: readonly string[];
  /** True if there are more readings than are listed. */
  readonly isCut: boolean;
}

/** The most readings of one path. */
const MAX_READINGS = 24;

/** Every text that tools read a path as: the changes in any order and number. */
export function pathReadings(raw: string, { changes }: PathReading): PathReadings {
  if (changes.length === 0 || !MARKED.test(raw)) return { texts: [raw], isCut: false };
  const texts = new Set([raw]);
  for (const text of texts) {
    for (const change of changes) {
      for (const next of CHANGES[change](text)) {
        if (texts.size === MAX_READINGS && !texts.has(next)) {
          return { texts: [...texts], isCut: true };
        }
        texts.add(next);
      }
    }
  }
  return { texts: [...texts], isCut: false };
}

/** A text that some change may change. Most paths have none of it. */
const MARKED = new RegExp(
  String.raw`^[\s@"'${"`"}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|` +
    String.raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$|\0|^file:`,
  "iu",
);

const EDGE = /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u;

const CHANGES: Readonly<Record<PathChange, (text: string) => readonly string[]>> = {
  trim: (text) => [text.trim(), widelyTrimmed(text)],
  // Gemini CLI drops the slashes behind it as well.
  at: (text) => text.startsWith("@") ? [text.slice(1), text.slice(1).replace(/^[\\/]+/, "")] : [],
  nul: (text) => [text.replaceAll("\0", "")],
  quotes: (text) => {
    const [quote = ""] = text;
    return text.length > 1 && /["'`]/.test(quote) && text.endsWith(quote)
      ? [text.slice(1, -1)]
      : [];
  },
  url: (text) => {
    if (!/^file:/i.test(text)) return [];
    const path = filePathOf(callUrl(text));
    return [text.replace(/^file:(?:\/\/)?/i, ""), ...(path === undefined ? [] : [path])];
  },
};

/** A text without what some language trims, and without invisible characters: U+0085 of Rust, U+001C of Python. */
function widelyTrimmed(text: string): string {
  let start = 0;
  while (start < text.length) {
    const length = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    if (!EDGE.test(text.slice(start, start + length))) break;
    start += length;
  }
  let end = text.length;
  while (end > start) {
    const length = end - 2 >= start && (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1;
    if (!EDGE.test(text.slice(end - length, end))) break;
    end -= length;
  }
  return text.slice(start, end);
}
