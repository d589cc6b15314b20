import type { Span } from "../../model/problem.ts";
import type { TomlNode } from "../../text/toml_node.ts";

/** The source of a regular expression for a string on one line. */
export const STRING = String.raw`"[^"\\\n]*(?:\\["\\bfnrt][^"\\\n]*)*"|'[^'\n]*'`;

/** Longer lists go to the full decoder, which knows the limits; in UTF-16 code units. */
const LONGEST_LIST = 16_384;

/** Blanks, ends of lines and comments. Each begins with another character, so that one look goes through them once. */
const GAP = String.raw`(?:[ \t]|\r?\n|#[^\n]*\n)*`;
const LIST = new RegExp(
  String.raw`^\[${GAP}(?:(?:${STRING})(?:${GAP},${GAP}(?:${STRING}))*${GAP}(?:,${GAP})?)?\]`,
);
const ELEMENT = new RegExp(String.raw`${STRING}|[,\n]|#[^\n]*`, "g");

const ESCAPES: Readonly<Record<string, string>> = {
  '"': '"',
  "\\": "\\",
  b: "\b",
  f: "\f",
  n: "\n",
  r: "\r",
  t: "\t",
};

/** A list of strings, which may go over several lines. */
export interface PlainList {
  /** Its length, brackets included. */
  readonly length: number;
  /** The number of line ends in it. */
  readonly feeds: number;
  /** Its parts, as `countParts` counts them. */
  readonly parts: number;
}

/** The list that begins at an offset; undefined if none does that is written in the plain way. */
export function listAt(text: string, from: number): PlainList | undefined {
  const found = LIST.exec(text.slice(from, from + LONGEST_LIST));
  if (found === null) return undefined;
  const [list] = found;
  let [feeds, parts] = [0, 1];
  for (const [each] of list.matchAll(ELEMENT)) {
    if (each === "\n") feeds++;
    else if (each === ",") parts++;
  }
  return { length: list.length, feeds, parts };
}

/** The strings of a list as written, whose first bracket is at a place. */
export function elementsOf(list: string, { start, line, column }: Span): readonly TomlNode[] {
  const elements: TomlNode[] = [];
  let [at, begin] = [line, start - column + 1];
  for (const { index, 0: part } of list.matchAll(ELEMENT)) {
    const from = start + index;
    if (part === "\n") {
      at++;
      begin = from + 1;
    } else if (part.startsWith('"') || part.startsWith("'")) {
      const span = { start: from, end: from + part.length, line: at, column: from - begin + 1 };
      elements.push({ type: "string", span, value: decoded(part) });
    }
  }
  return elements;
}

/** The text of a string as written, quotes and escapes undone. */
export function decoded(raw: string): string {
  const text = raw.slice(1, -1);
  if (raw.startsWith("'") || !text.includes("\\")) return text;
  return text.replace(/\\(.)/g, (_, letter: string) => ESCAPES[letter]!);
}
