import type { Span } from "../../model/problem.ts";
import {
  attachedStart,
  kindOf,
  lineAt,
  linesOf,
  lineText,
  startOf,
} from "../../text/text_lines.ts";
import type { TextLines } from "../../text/text_lines.ts";
import { parseToml } from "../../text/toml_tree.ts";

/** A comment that ignores a finding: `# caliban-ignore: shadowed our fallback`. */
export interface IgnoreComment {
  /** The ids that it names, as written; empty when it names none. */
  readonly ids: readonly string[];
  /** The reason; empty if it gives none. */
  readonly why: string;
  /** Its line, from 0. */
  readonly line: number;
  /** The lines that it applies to, from 0; includes 0 for a comment at the head of the file. */
  readonly lines: readonly number[];
  readonly span: Span;
}

/** True if a comment can ignore such a finding: not those of files that do not load, nor those about comments. */
export function isIgnorable(id: string): boolean {
  return id !== "schema" && id !== "ignore-comment";
}

const COMMENT = /^#\s*caliban-ignore\b:?\s*(.*)$/;

/** True if a line between others is under such a comment, which then ignores findings about each rule on it. */
export function isUnderIgnoreComment(lines: TextLines, line: number): boolean {
  for (let at = attachedStart(lines, line); at < line; at++) {
    if (COMMENT.test(lineText(lines, at).trim())) return true;
  }
  return false;
}

/** Every such comment of a file, in order; none if the file is not valid TOML. `known`: all ids. */
export function ignoreComments(
  { text }: { readonly text: string },
  known: readonly string[],
): readonly IgnoreComment[] {
  if (!text.includes("caliban-ignore")) return [];
  const document = parseToml(text);
  if (document.problems.length > 0) return [];
  const lines = linesOf(document);
  return document.comments.flatMap((offset) => {
    const line = lineAt(lines, offset);
    const end = startOf(lines, line + 1);
    const written = text.slice(offset, end).trimEnd();
    const rest = COMMENT.exec(written)?.[1];
    if (rest === undefined) return [];
    const { ids, why } = readRest(rest, known);
    const column = offset - startOf(lines, line) + 1;
    return [{
      ids,
      why,
      line,
      lines: coveredLines(lines, line),
      span: { start: offset, end: offset + written.length, line: line + 1, column },
    }];
  });
}

/** The ids and the reason. A blank may follow a comma before another id: `shadowed, duplicate our fallback`. */
function readRest(rest: string, known: readonly string[]): Pick<IgnoreComment, "ids" | "why"> {
  const [, word = "", more = ""] = /^(\S*)\s*(.*)$/.exec(rest) ?? [];
  const ids = word.split(",").filter((id) => id !== "");
  if (!word.endsWith(",")) return { ids, why: more };
  const next = readRest(more, known);
  return next.ids[0] !== undefined && known.includes(next.ids[0])
    ? { ids: [...ids, ...next.ids], why: next.why }
    : { ids, why: more };
}

/** The line below the run of comments that a comment is in, and the lines of the table that begins there. */
function coveredLines(lines: TextLines, line: number): readonly number[] {
  if (kindOf(lines, line) !== "comment") return [];
  let next = line;
  while (kindOf(lines, next) === "comment") next++;
  const covered = isHead(lines, line) ? [0] : [];
  if (kindOf(lines, next) !== "other") return covered;
  covered.push(next);
  // A rule's table runs to the next blank line or header; its findings are placed at its pattern.
  if (!/^\s*\[\[/.test(lineText(lines, next))) return covered;
  for (let at = next + 1; kindOf(lines, at) !== undefined; at++) {
    if (/^\s*\[/.test(lineText(lines, at))) break;
    covered.push(at);
  }
  return covered;
}

/** True if only comments and blank lines are above. */
function isHead(lines: TextLines, line: number): boolean {
  for (let at = attachedStart(lines, line); at >= 0; at--) {
    const kind = kindOf(lines, at);
    if (kind === "other" && !lineText(lines, at).trimStart().startsWith("#:")) return false;
  }
  return true;
}
