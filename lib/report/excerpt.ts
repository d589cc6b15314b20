import type { Span } from "../model/problem.ts";
import { textWidth, visible } from "../text/visible.ts";

/** One character of the line, ready to be shown. */
interface Cell {
  /** The displayed text. */
  readonly shown: string;
  /** Columns it takes at most. */
  readonly width: number;
  /** `yes` for a cell that is underlined. */
  readonly marked: "no" | "yes";
}

/** The line that a span begins in, and the underline below it. */
export interface Excerpt {
  /** The line: hidden characters made visible, tabs kept, cut round the span. */
  readonly line: string;
  /** Blanks and tabs, then `^~~~`, as wide as the span. */
  readonly underline: string;
}

const TAB_WIDTH = 8;
const CUT = "…";
/** Code units kept on either side of the span's start before anything is measured; far more than fits. */
const NEAR = 400;

/** Shows the line of `span` in at most `columns` columns; of a longer span its first line. Never throws. */
export function excerpt(text: string, options: { span: Span; columns: number }): Excerpt {
  const { span, columns } = options;
  const start = Math.min(Math.max(span.start, 0), text.length);
  const lineStart = start === 0 ? 0 : text.lastIndexOf("\n", start - 1) + 1;
  const next = text.indexOf("\n", start);
  const lineEnd = next === -1 ? text.length : next;
  const from = Math.max(lineStart, start - NEAR);
  const line = text.slice(from, Math.min(lineEnd, start + NEAR)).replace(/\r$/, "");
  const cells = cellsOf(line, { start: start - from, end: Math.max(span.end, start) - from });
  return drawn(fitted(cells, columns));
}

/** Splits a line into cells; a span of no width, or at the line's end, marks the place behind it. */
function cellsOf(line: string, span: { start: number; end: number }): readonly Cell[] {
  const cells: Cell[] = [];
  let at = 0;
  let marks = 0;
  for (const character of line) {
    const inside = at >= span.start && (at < span.end || at === span.start);
    const shown = character === "\t" ? "\t" : visible(character);
    const width = character === "\t" ? TAB_WIDTH : textWidth(shown);
    if (inside) marks++;
    cells.push({ shown, width, marked: inside ? "yes" : "no" });
    at += character.length;
  }
  if (marks === 0) cells.push({ shown: " ", width: 1, marked: "yes" });
  return cells;
}

/** Leaves out cells at both ends until the rest fits; the first marked cell always stays. */
function fitted(cells: readonly Cell[], columns: number): readonly Cell[] {
  if (widthOf(cells) <= columns) return cells;
  const first = cells.findIndex((cell) => cell.marked === "yes");
  const room = columns - 2;
  let from = first;
  let to = first;
  let width = 0;
  const before = Math.floor(room / 3);
  while (from > 0 && width + (cells[from - 1]?.width ?? 0) <= before) {
    from--;
    width += cells[from]?.width ?? 0;
  }
  while (to < cells.length && width + (cells[to]?.width ?? 0) <= room) {
    width += cells[to]?.width ?? 0;
    to++;
  }
  while (to === cells.length && from > 0 && width + (cells[from - 1]?.width ?? 0) <= room) {
    from--;
    width += cells[from]?.width ?? 0;
  }
  const cut: Cell = { shown: CUT, width: 1, marked: "no" };
  const kept = cells.slice(from, Math.max(to, first + 1));
  return [...(from > 0 ? [cut] : []), ...kept, ...(to < cells.length ? [cut] : [])];
}

function drawn(cells: readonly Cell[]): Excerpt {
  let line = "";
  let underline = "";
  let mark = "^";
  for (const cell of cells) {
    line += cell.shown;
    if (cell.marked === "no") {
      underline += cell.shown === "\t" ? "\t" : " ".repeat(cell.width);
      continue;
    }
    const width = textWidth(cell.shown);
    if (mark === "~" && cell.shown === "\t") underline += "\t";
    else if (mark === "^" || width > 0) underline += mark + "~".repeat(Math.max(width - 1, 0));
    mark = "~";
  }
  return { line: line.trimEnd(), underline: underline.trimEnd() };
}

function widthOf(cells: readonly Cell[]): number {
  return cells.reduce((sum, cell) => sum + cell.width, 0);
}
