import type { ToolCall } from "./call.ts";
import type { Decision } from "./decision.ts";

/** The destination of an “always” rule: the memory of this run, or the file of that name. */
export type AskScope = "session" | "project" | "user" | "local";

/** The possible answers of a person. */
export type AskKind = "allow-once" | "allow-always" | "deny-once" | "deny-always";

/** A question to a person about a call. */
export interface AskQuestion {
  /** The tool call as it would run. */
  readonly call: ToolCall;
  /** The decision so far: every unit, and the reason of the question. */
  readonly decision: Decision;
  /** A suggested pattern for “always”, which the person can change; absent if no pattern is useful. */
  readonly suggestion?: string;
  /** Instead of `suggestion`, for a compound command line: one pattern for each unit that needs a rule. */
  readonly suggestions?: readonly string[];
  /** The comment of the rule that asks, if that is not the decision's own rule. */
  readonly comment?: string;
  /** A further reason of the question: a classifier's, a hook's. */
  readonly reason?: string;
  /** The possible destinations of a rule, the default first; empty if none can be kept. */
  readonly scopes: readonly AskScope[];
}

/** A person's answer. Whoever asked keeps the rules. */
export interface AskAnswer {
  /** Allow or deny, once or always. */
  readonly kind: AskKind;
  /** For “always”: the pattern, the first of them where there are several. */
  readonly pattern?: string;
  /** For “always”: all patterns, one rule each; present if and only if `pattern` is. */
  readonly patterns?: readonly string[];
  /** For “always”: the destination of the rules. */
  readonly scope?: AskScope;
  /** The person's text: the comment of the rule, or, with a deny, the reason for the model. */
  readonly comment?: string;
}

/** Asks a person. */
export interface AskHandler {
  /** Resolves to the answer: `deny-once` if nobody can answer, the person cancels or `signal` aborts. Never rejects. */
  ask(question: AskQuestion, options: { readonly signal?: AbortSignal }): Promise<AskAnswer>;
}
