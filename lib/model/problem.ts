import type { Action, ToolCall } from "./call.ts";
import type { Rule } from "./rule.ts";

/** The kinds of problem, for code; the message is for people. */
export type ProblemId =
  | "toml-syntax"
  | "json-syntax"
  | "unknown-key"
  | "wrong-type"
  | "missing-key"
  | "unknown-value"
  | "mixed-shapes"
  | "misplaced-reason"
  | "misplaced-key"
  | "invalid-date"
  | "invalid-pattern"
  | "never-fits"
  | "too-large";

/** An error or warning about the user's text. */
export interface Problem {
  /** Its kind. */
  readonly id: ProblemId;
  /** An error excludes the file; a warning does not. */
  readonly severity: "error" | "warning";
  /** One sentence without a final full stop: what cannot be read, the value in quotes, a colon and the detail. */
  readonly message: string;
  /** Its place in the text. */
  readonly span: Span;
  /** Advice: `Did you mean "allow"?`. */
  readonly hint?: string;
  /** A command that solves it; the hint then ends in a colon. */
  readonly command?: string;
}

/** A problem with its text, from which a report takes the excerpt. */
export interface FileProblem extends Problem {
  /** The file's path for people, or the flag (`--allow`) that held the text. */
  readonly path: string;
  /** The whole text of the file. */
  readonly text: string;
}

/** A range of a text. */
export interface Span {
  /** The offset of its first character, in UTF-16 code units from 0. */
  readonly start: number;
  /** The offset behind its last character, in UTF-16 code units. */
  readonly end: number;
  /** The line of its first character, from 1. */
  readonly line: number;
  /** The column of its first character, from 1, in UTF-16 code units. */
  readonly column: number;
}

/** A value of a file, with its span. */
export interface Located<T> {
  readonly value: T;
  /** The span of its text. */
  readonly span: Span;
}

/** The weight of a finding: an error fails a run, as do more warnings than `--max-warnings`; a note never does. */
export type Severity = "error" | "warning" | "note";

/** A change to the text of a file. */
export interface TextEdit {
  /** The span that is replaced; empty for an insertion. */
  readonly span: Span;
  /** The new text; empty for a removal. */
  readonly text: string;
}

/** A fix for a finding. */
export interface Fix {
  /** A title in a few words: `Remove the rule`. */
  readonly title: string;
  /** `same`: no verdict changes, so `--fix` applies it. `changes`: only if the finding is selected by name. */
  readonly verdicts: "same" | "changes";
  /** Changes to the finding's own file, without overlaps. */
  readonly edits: readonly TextEdit[];
  /** Set if it removes the finding's rule, with the comment lines that `perms remove` removes too. */
  readonly removesRule?: true;
}

/** A lint finding about a policy. */
export interface Finding {
  /** The id of its check: `shadowed`. */
  readonly id: string;
  readonly severity: Severity;
  /** One sentence without a final full stop. */
  readonly message: string;
  /** The file's path; `pathText` shortens it for people. */
  readonly path: string;
  /** Its place in the file. */
  readonly span: Span;
  /** Its rule; null for a finding about the file or the whole policy. */
  readonly rule: Rule | null;
  /** Other rules that it names, in the order of the policy. */
  readonly related: readonly Rule[];
  /** A call that demonstrates it; absent unless it is about calls. */
  readonly witness?: ToolCall;
  /** The verdict on that call; present if and only if `witness` is. */
  readonly verdict?: Action;
  /** Advice. */
  readonly hint?: string;
  readonly fix?: Fix;
}

/** The effect of a conversion on a rule: it allows more, allows less, or is missing. */
export type LossKind = "widened" | "narrowed" | "dropped";

/** A rule or setting that a format cannot express in full. */
export interface Loss {
  /**
   * `widened`: the result is less strict than the rule. `narrowed`: it is stricter. `dropped`: the rule is not in the result,
   * which is stricter for an allow and less strict for a deny or ask.
   */
  readonly kind: LossKind;
  /** The rule as written; the key and value of a setting. */
  readonly subject: string;
  /** The rule's action; absent for a setting, which is looser only if `kind` is `widened`. */
  readonly action?: Action;
  /** The reason, in one sentence without a final full stop. */
  readonly detail: string;
  /** Its place in the source text; absent if there is none. */
  readonly span?: Span;
}

/** True if the result may allow more calls than the original. */
export function isLooser({ kind, action }: Loss): boolean {
  return kind === "widened" || kind === "dropped" && (action === "deny" || action === "ask");
}

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
