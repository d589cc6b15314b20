import { cut } from "../text/call_text.ts";
import { textWidth } from "../text/visible.ts";
import type { TextStyle } from "./color.ts";

/** Columns that text for people takes where no window says otherwise, but for long paths, patterns and commands to paste. */
export const COLUMNS = 80;

/** Breaks text at blanks into lines of at most `columns` columns; a longer word stays whole. At least one line. */
export function wrapped(text: string, columns: number): readonly string[] {
  return filled(text.split(" "), { columns, taken: 0 });
}

/** The columns of a style. */
export function columnsOf({ columns = COLUMNS }: Pick<TextStyle, "columns">): number {
  return columns;
}

/** Lines of at most 80 columns or those of a style, broken at blanks, all with that indent. */
export function indented(
  text: string,
  indent: string,
  style: Pick<TextStyle, "columns"> = {},
): readonly string[] {
  return wrapped(text, columnsOf(style) - indent.length).map((line) => indent + line);
}

/** The place of a paragraph. */
export interface ParagraphBox {
  /** In front of each line. */
  readonly indent: string;
  /** The columns of a line, with its indent. */
  readonly columns: number;
  /** The most lines; the rest is cut, and so is a word that is longer than a line. All lines when left out. */
  readonly most?: number;
}

/** Lines broken at blanks, all with that indent. At least one. */
export function paragraph(
  text: string,
  { indent, columns, most }: ParagraphBox,
): readonly string[] {
  const room = columns - textWidth(indent);
  const lines = wrapped(text, room);
  if (most === undefined) return lines.map((line) => indent + line);
  const last = lines.slice(most - 1).join(" ");
  const kept = lines.length > most ? [...lines.slice(0, most - 1), last] : lines;
  return kept.map((line) => indent + cut(line, room));
}

/** The rows that lines take on a screen of that many columns: a longer line takes several. */
export function rowsOf(lines: readonly string[], columns: number): number {
  const widths = lines.map((line) => textWidth(line.replaceAll("\t", " ".repeat(8))));
  return widths.reduce((sum, width) => sum + Math.max(1, Math.ceil(width / columns)), 0);
}

/** The label in front of a sentence. */
export interface Label {
  /** `error:`, or `file:1:2: error:`; never broken. */
  readonly text: string;
  /** The same with its colours. */
  readonly painted: string;
  /** Columns by which the lines below the first are indented. */
  readonly indent: number;
  /** The columns of a line, with its indent; 80 when left out. */
  readonly columns?: number | undefined;
}

/**
 * A sentence behind its label, in lines of at most those columns. What it has in double quotes is not broken, for it may be
 * a pattern, a path or a command.
 */
export function labelled(sentence: string, label: Label): readonly string[] {
  const { text, painted, indent } = label;
  const columns = columnsOf(label) - indent;
  const [first = "", ...rest] = filled(quotedWords(sentence), {
    columns,
    taken: textWidth(text) - indent,
  });
  return [
    first === "" ? painted : `${painted} ${first}`,
    ...rest.map((line) => " ".repeat(indent) + line),
  ];
}

/** The words between blanks; one that begins a double quote goes on to its end. */
function quotedWords(sentence: string): readonly string[] {
  return [...sentence.matchAll(/(?<=^| )(?:"[^"]*"|[^ ])*/g)].map(([word]) => word);
}

/** Joins words into lines; `taken` columns of the first are in use, a blank apart. */
function filled(
  words: readonly string[],
  { columns, taken }: { readonly columns: number; readonly taken: number },
): readonly string[] {
  const lines: string[][] = [[]];
  let used = taken;
  let isEmpty = taken === 0;
  for (const word of words) {
    const width = textWidth(word);
    if (!isEmpty && used + 1 + width > columns) {
      lines.push([]);
      used = 0;
      isEmpty = true;
    }
    lines.at(-1)?.push(word);
    used += isEmpty ? width : width + 1;
    isEmpty = false;
  }
  return lines.map((line) => line.join(" "));
}
