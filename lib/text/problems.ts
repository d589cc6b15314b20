import type { Span } from "../model/place.ts";
import type { Problem, ProblemId } from "../model/problem.ts";

/** An error in the text at `span`; `detail.message` is one sentence without a final full stop. */
export function errorAt(
  span: Span,
  detail: { readonly id: ProblemId; readonly message: string; readonly hint?: string | undefined },
): Problem {
  const { id, message, hint } = detail;
  return { id, severity: "error", message, span, ...(hint === undefined ? {} : { hint }) };
}

/** The span of `length` code units from `offset`, which lies within `text` or at its end. */
export function spanAt(
  text: string,
  at: { readonly offset: number; readonly length: number },
): Span {
  const start = Math.min(at.offset, text.length);
  const before = text.slice(0, start);
  const lineStart = before.lastIndexOf("\n") + 1;
  const line = before.split("\n").length;
  const end = Math.min(start + at.length, text.length);
  return { start, end, line, column: start - lineStart + 1 };
}

/** The longest quotation in a message, in UTF-16 code units. */
const LONGEST_QUOTE = 80;

/** The text in double quotes for a message: cut where it is long, with what cannot be seen as `\\uXXXX`. */
export function quoted(text: string): string {
  const shown = text.length > LONGEST_QUOTE ? `${text.slice(0, LONGEST_QUOTE - 1)}…` : text;
  return `"${shown.replace(invisible(), escapeOf)}"`;
}

/** What a terminal would obey or not show: controls, zero-width and bidirectional characters. Made where it is needed. */
function invisible(): RegExp {
  return /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/gu;
}

/** A character as TOML and JSON escape it: `\\u` and four digits, or `\\U` and eight. */
export function escapeOf(character: string): string {
  const code = (character.codePointAt(0) ?? 0).toString(16).toUpperCase();
  return code.length > 4 ? `\\U${code.padStart(8, "0")}` : `\\u${code.padStart(4, "0")}`;
}
