import { COLUMNS, wrapped } from "../report/layout.ts";
import { textWidth } from "../text/width.ts";

/** A paragraph, every line indented by `indent` blanks. */
export function paragraph(text: string, indent: number): readonly string[] {
  return wrapped(text, COLUMNS - indent).map((line) => `${" ".repeat(indent)}${line}`.trimEnd());
}

/** Rows of a term and what it means: the meanings aligned, below their term where that is too long. */
export function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const longest = 26;
  const fitting = rows.map(([term]) => textWidth(term)).filter((width) => width <= longest);
  const width = Math.max(0, ...fitting);
  return rows.flatMap(([term, meaning]) => {
    const [first = "", ...rest] = paragraph(meaning, width + 4);
    if (textWidth(term) > width) return [`  ${term}`, first, ...rest];
    return [`  ${term}${" ".repeat(width - textWidth(term))}  ${first.trimStart()}`, ...rest];
  });
}
