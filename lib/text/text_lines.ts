import type { Span } from "../model/problem.ts";
import type { TomlDocument } from "./toml_node.ts";

/** The kind of a line: only blanks, only a comment, or anything else (`#:schema` lines too). */
export type LineKind = "blank" | "comment" | "other";

/** The lines of a TOML text, by index from 0. A text that ends in a line end has no empty last line. */
export interface TextLines {
  readonly text: string;
  /** Offset of the first character of each line. */
  readonly starts: readonly number[];
  /** Offsets of the `#` of every comment. */
  readonly comments: ReadonlySet<number>;
}

/** A run of lines. */
export interface LineRange {
  /** Index of its first line. */
  readonly first: number;
  /** Index of its last line. */
  readonly last: number;
}

/** The lines of a TOML text. */
export function linesOf({ text, comments }: Pick<TomlDocument, "text" | "comments">): TextLines {
  const starts: number[] = [];
  for (let start = 0; start < text.length;) {
    starts.push(start);
    const feed = text.indexOf("\n", start);
    start = feed === -1 ? text.length : feed + 1;
  }
  return { text, starts, comments: new Set(comments) };
}

/** The index of the line that an offset lies in. */
export function lineAt(lines: TextLines, offset: number): number {
  return lineIn(lines.starts, offset);
}

/** The index of the last line that starts at the offset or before it; 0 without any. */
function lineIn(starts: readonly number[], offset: number): number {
  let [low, high] = [0, starts.length];
  while (high - low > 1) {
    const middle = (low + high) >>> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle;
  }
  return low;
}

/** The span between two offsets of a text, in UTF-16 code units. */
export type SpanBetween = (start: number, end: number) => Span;

/** Spans in one text, whose lines are counted once. A span ends no earlier than it starts. */
export function spansOf(text: string): SpanBetween {
  const starts = [0];
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) starts.push(at + 1);
  return (start, end) => {
    const line = lineIn(starts, start);
    return { start, end: Math.max(end, start), line: line + 1, column: start - starts[line]! + 1 };
  };
}

/** Offset of a line's first character; of the end of the text for a line after the last. */
export function startOf(lines: TextLines, index: number): number {
  return lines.starts[index] ?? lines.text.length;
}

/** A line with its line end. */
export function lineText(lines: TextLines, index: number): string {
  return lines.text.slice(startOf(lines, index), startOf(lines, index + 1));
}

/** The kind of a line; undefined before the first and after the last line. */
export function kindOf(lines: TextLines, index: number): LineKind | undefined {
  if (index < 0 || index >= lines.starts.length) return undefined;
  const line = lineText(lines, index);
  const indent = line.length - line.trimStart().length;
  if (indent === line.length) return "blank";
  if (line.startsWith("#:", indent)) return "other";
  return lines.comments.has(startOf(lines, index) + indent) ? "comment" : "other";
}

/** The first of the comment lines that stand directly above a line, or the line itself. */
export function attachedStart(lines: TextLines, index: number): number {
  let first = index;
  while (kindOf(lines, first - 1) === "comment") first--;
  return first;
}

/** The first line end of the text; a line feed if it has none. */
export function lineEnd(text: string): string {
  const feed = text.indexOf("\n");
  return feed > 0 && text[feed - 1] === "\r" ? "\r\n" : "\n";
}
