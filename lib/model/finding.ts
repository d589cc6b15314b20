import type { Action } from "./action.ts";
import type { ToolCall } from "./call.ts";
import type { Span } from "./place.ts";
import type { Rule } from "./rule.ts";

/** How much a finding weighs: an error and more warnings than `--max-warnings` fail a run, a note never does. */
export type Severity = "error" | "warning" | "note";

/** One change to a file's text. */
export interface TextEdit {
  /** What is replaced; empty for an insertion. */
  readonly span: Span;
  /** What stands there instead; empty for a removal. */
  readonly text: string;
}

/** A change that mends a finding. */
export interface Fix {
  /** What it does, in a few words: `Remove the rule`. */
  readonly title: string;
  /** `same`: the verdict of no call changes, so that `--fix` may do it; `changes`: only where the finding is selected by name. */
  readonly verdicts: "same" | "changes";
  /** The changes, all in the finding's own file; none overlap. */
  readonly edits: readonly TextEdit[];
  /** Set when it takes the finding's rule out, with the comment lines that `perms remove` takes out with it. */
  readonly removesRule?: true;
}

/** Something about a policy that its author should know. */
export interface Finding {
  /** Which check found it: `shadowed`. */
  readonly id: string;
  /** How much it weighs. */
  readonly severity: Severity;
  /** One sentence without a final full stop. */
  readonly message: string;
  /** The file's path; `pathText` shortens it for people. */
  readonly path: string;
  /** Where in the file. */
  readonly span: Span;
  /** The rule that it is about; null when it is about the file or the whole policy. */
  readonly rule: Rule | null;
  /** Other rules that it names, in their order. */
  readonly related: readonly Rule[];
  /** A call that shows it, where it claims something about calls. */
  readonly witness?: ToolCall;
  /** What the rules say to that call; there exactly when `witness` is. */
  readonly verdict?: Action;
  /** What to do about it. */
  readonly hint?: string;
  /** What mends it by itself. */
  readonly fix?: Fix;
}
