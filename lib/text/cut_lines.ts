import type { Splice } from "./splice.ts";
import type { LineRange, TextLines } from "./text_lines.ts";
import { cut } from "./splice.ts";
import { kindOf, startOf } from "./text_lines.ts";

/**
 * Takes runs of lines out, `ranges` in the order of the text. Where that would make two runs of blank lines one, only the
 * longer stays; at the start and the end of the text none does, and a missing last line end stays missing.
 */
export function cutLines(lines: TextLines, ranges: readonly LineRange[]): readonly Splice[] {
  return joined(lines, ranges).map((range) => cutRange(lines, range));
}

/** Ranges with nothing but blank lines between them are one. */
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

/** Whether a run of blank lines has more lines than another or, having as many, more blanks in them. */
function isLonger(run: string, other: string): boolean {
  const lines = run.split("\n").length - (run.endsWith("\n") ? 1 : 0);
  const otherLines = other.split("\n").length - (other.endsWith("\n") ? 1 : 0);
  if (lines !== otherLines) return lines > otherLines;
  return run.replace(/[\r\n]/g, "").length > other.replace(/[\r\n]/g, "").length;
}

/** Where the text ends without the lines from `index` on: before the line end too if it had none at its end. */
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
