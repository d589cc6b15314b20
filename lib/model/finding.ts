import type { Action } from "./action.ts";
import type { ToolCall } from "./call.ts";
import type { Span } from "./span.ts";
import type { Rule } from "./rule.ts";

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
