import { plainBlanks } from "./alike_files.ts";
import { callUrl, filePathOf, percentDecoded } from "../url/call_url.ts";
import { onDemand } from "../../model/on_demand.ts";

/**
 * The changes that tools make to a path before they open it. `trim`: white space, control and invisible characters at its
 * edges go. `at`: a leading `@` goes. `nul`: NUL characters go. `quotes`: a pair of quotes around it goes. `url`: a `file:` URL
 * is the path that it names. `percent`: percent escapes are decoded. `breaks`: tabs and line breaks go, as in a URL.
 * `escapes`: a backslash before a character that shells know goes. `slashes`: a backslash is a slash.
 * `blanks`: a blank of one kind is one of another.
 */
export const PATH_CHANGES = [
  "trim",
  "at",
  "nul",
  "quotes",
  "url",
  "percent",
  "breaks",
  "escapes",
  "slashes",
  "blanks",
] as const;

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

/** The changes that a tool may make to a URL as well; in a URL a backslash or an escape is a part of it. */
export const URL_CHANGES: readonly PathChange[] = ["trim", "at", "nul", "quotes", "breaks"];

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

/** The longest text that is changed, in UTF-16 code units: longer than any path. */
const MAX_TEXT = 65_536;

/** Every text that tools read a path as: the changes in any order and number. */
export function pathReadings(raw: string, { changes }: PathReading): PathReadings {
  if (changes.length === 0 || !isMarked(raw)) return { texts: [raw], isCut: false };
  if (raw.length > MAX_TEXT) return { texts: [raw], isCut: true };
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

/** The characters of most paths, of which no change takes any. */
const UNMARKED = /^[\w./+,=-]*$/;

/** True for a path that no tool reads as another one, as most are. */
export function isPlainReading(text: string): boolean {
  return UNMARKED.test(text);
}

let marked: RegExp | undefined;

/** True for a text that some change may change. The expression for all of Unicode takes a millisecond to compile. */
function isMarked(text: string): boolean {
  if (UNMARKED.test(text)) return false;
  marked ??= new RegExp(
    String.raw`^[\s@"'${"`"}\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]|` +
      String
        .raw`[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$|[\0\t\n\r]|^file:|%[0-9a-f]{2}|` +
      String.raw`[\\\u00a0\u1680\u2000-\u200a\u202f\u205f\u3000]`,
    "iu",
  );
  return marked.test(text);
}

const edge = onDemand(() => /^[\s\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]$/u);

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
  breaks: (text) => relativeToo(text, text.replace(/[\t\n\r]/g, "")),
  percent: (text) => relativeToo(text, percentDecoded(text)),
  // A path of Windows may start with two backslashes.
  escapes: (text) => /^\\\\/.test(text) ? [] : [text.replace(/\\([^\p{L}\p{N}\\/._-])/gu, "$1")],
  slashes: (text) => [text.replaceAll("\\", "/")],
  // The files there are of the other kinds are looked up (alike_files.ts).
  blanks: (text) => [plainBlanks(text)],
};

/** A changed text, and it below the folder if only the change makes it absolute: tools change a path that they have joined to it. */
function relativeToo(text: string, changed: string): readonly string[] {
  return /^[\\/]/.test(text) ? [changed] : [changed, changed.replace(/^[\\/]+/, "")];
}

/** A text without what some language trims, and without invisible characters: U+0085 of Rust, U+001C of Python. */
function widelyTrimmed(text: string): string {
  let start = 0;
  while (start < text.length) {
    const length = (text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1;
    if (!edge().test(text.slice(start, start + length))) break;
    start += length;
  }
  let end = text.length;
  while (end > start) {
    const length = end - 2 >= start && (text.codePointAt(end - 2) ?? 0) > 0xffff ? 2 : 1;
    if (!edge().test(text.slice(end - length, end))) break;
    end -= length;
  }
  return text.slice(start, end);
}
