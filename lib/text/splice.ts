import { kindOf, type LineRange, startOf, type TextLines } from "./text_lines.ts";

/** A piece of a text and its replacement. */
export interface Splice {
  /** Offset of its first character. */
  readonly start: number;
  /** Offset after its last character; `start` for an insertion. */
  readonly end: number;
  /** The text that takes its place. */
  readonly text: string;
}

/** The piece from `start` to `end`, taken out. */
export function cut(start: number, end: number): Splice {
  return { start, end, text: "" };
}

/** The text with all the pieces replaced. Where two overlap, the earlier one wins, and the rest of the later one follows. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  const ordered = [...splices].sort((a, b) => a.start - b.start || a.end - b.end);
  const parts: string[] = [];
  let offset = 0;
  for (const splice of ordered) {
    parts.push(text.slice(offset, Math.max(offset, splice.start)), splice.text);
    offset = Math.max(offset, splice.end);
  }
  parts.push(text.slice(offset));
  return parts.join("");
}

/**
 * Cuts runs of lines, `ranges` in the order of the text. If two runs of blank lines would meet, only the longer one stays; at
 * the start and the end of the text neither does. A missing last line end stays missing.
 */
export function cutLines(lines: TextLines, ranges: readonly LineRange[]): readonly Splice[] {
  return joined(lines, ranges).map((range) => cutRange(lines, range));
}

/** Merges ranges with only blank lines between them. */
function joined(lines: TextLines, ranges: readonly LineRange[]): readonly LineRange[] {
  const result: LineRange[] = [];
  for (const range of ranges) {
    const before = result.at(-1);
    if (before !== undefined && blanksBelow(lines, before.last) >= range.first - before.last - 1) {
      result[result.length - 1] = { first: before.first, last: range.last };
    } else {
      result.push(range);
    }
  }
  return result;
}

function cutRange(lines: TextLines, range: LineRange): Splice {
  const above = range.first - blanksAbove(lines, range.first);
  const below = range.last + 1 + blanksBelow(lines, range.last);
  const start = startOf(lines, range.first);
  const end = startOf(lines, range.last + 1);
  const textAbove = lines.text.slice(startOf(lines, above), start);
  const textBelow = lines.text.slice(end, startOf(lines, below));
  if (textBelow === "" && end === lines.text.length) {
    return cut(endOfText(lines, above), end);
  }
  if (above === 0 && textAbove === "") return cut(start, end + textBelow.length);
  if (textAbove === "" || textBelow === "") return cut(start, end);
  return isLonger(textAbove, textBelow)
    ? cut(start, end + textBelow.length)
    : cut(start - textAbove.length, end);
}

/** True if a run of blank lines has more lines than another, or as many with more blanks in them. */
function isLonger(run: string, other: string): boolean {
  const lines = run.split("\n").length - (run.endsWith("\n") ? 1 : 0);
  const otherLines = other.split("\n").length - (other.endsWith("\n") ? 1 : 0);
  if (lines !== otherLines) return lines > otherLines;
  return run.replace(/[\r\n]/g, "").length > other.replace(/[\r\n]/g, "").length;
}

/** The end of the text without the lines from `index` on, and without their line end if the text ended in none. */
function endOfText(lines: TextLines, index: number): number {
  const end = startOf(lines, index);
  if (lines.text.endsWith("\n")) return end;
  return end - (/\r?\n$/.exec(lines.text.slice(Math.max(0, end - 2), end))?.[0].length ?? 0);
}

function blanksAbove(lines: TextLines, index: number): number {
  let count = 0;
  while (kindOf(lines, index - 1 - count) === "blank") count++;
  return count;
}

function blanksBelow(lines: TextLines, index: number): number {
  let count = 0;
  while (kindOf(lines, index + 1 + count) === "blank") count++;
  return count;
}
