import type { Problem, ProblemId } from "../model/problem.ts";
import type { Span } from "../model/span.ts";

/** An error in the text at `span`; `detail.message` is one sentence without a final full stop. */
export function errorAt(
  span: Span,
  detail: { readonly id: ProblemId; readonly message: string; readonly hint?: string | undefined },
): Problem {
  const { id, message, hint } = detail;
  return { id, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) };
}

/**
 * Returns the problems file by file, and those of a file in the order of its text. The files are in the order of `paths`, the
 * others after them; without `paths` in the order of their first problem.
 */
export function inOrder<T extends Problem & { readonly path?: string }>(
  problems: readonly T[],
  paths: readonly string[] = [...new Set(problems.map(({ path = "" }) => path))],
): readonly T[] {
  const ranks = new Map(paths.map((path, index) => [path, index]));
  const rank = ({ path = "" }: T) => ranks.get(path) ?? paths.length;
  return problems.toSorted((a, b) => rank(a) - rank(b) || a.span.start - b.span.start);
}

/** The longest quotation in a message, in UTF-16 code units. */
const LONGEST_QUOTE = 80;

/** The text in double quotes for a message: cut if it is long, invisible characters as `\\uXXXX`. */
export function quoted(text: string): string {
  const shown = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 1)}…` : text;
  return `"${shown.replace(invisible(), escapeOf)}"`;
}

/** Characters that a terminal obeys or hides: controls, zero-width and bidirectional ones. Compiled on demand. */
function invisible(): RegExp {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
}

/** A character as TOML and JSON escape it: `\\u` and four digits, or `\\U` and eight. */
export function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
