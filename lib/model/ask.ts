import type { ToolCall } from "./call.ts";
import type { Decision } from "./decision.ts";

/** Where a rule of an “always” answer goes: this run's memory, or the file of that name. */
export type AskScope = "session" | "project" | "user" | "local";

/** What a person can answer. */
export type AskKind = "allow-once" | "allow-always" | "deny-once" | "deny-always";

/** A call that a person is asked about. */
export interface AskQuestion {
  /** The call. */
  readonly call: ToolCall;
  /** What is known about it so far: every unit, and why it is a question. */
  readonly decision: Decision;
  /** A pattern for “always”; the person can change it. Left out where none is worth suggesting. */
  readonly suggestion?: string;
  /** One pattern for each unit of a compound command line that needs one, instead of `suggestion`. */
  readonly suggestions?: readonly string[];
  /** For people: the comment of the rule that asks, where it is not the decision's own rule. */
  readonly comment?: string;
  /** For people: why it is asked, where the decision's own reason is not all (a classifier's, a hook's). */
  readonly reason?: string;
  /** Where a rule can go, the first one being proposed; empty where nothing can be kept. */
  readonly scopes: readonly AskScope[];
}

/** What a person answered. Keeping it is the asker's work. */
export interface AskAnswer {
  /** The answer. */
  readonly kind: AskKind;
  /** For “always”: the pattern, the first of them where there are several. */
  readonly pattern?: string;
  /** For “always”: all patterns, one rule each; there exactly when `pattern` is. */
  readonly patterns?: readonly string[];
  /** For “always”: where the rules go. */
  readonly scope?: AskScope;
  /** What the person wrote: the rule's comment, or with a deny what the model is told. */
  readonly comment?: string;
}

/** Asks a person. */
export interface AskHandler {
  /**
   * The person's answer. Where nobody can be asked, the question is given up or `signal` is aborted, it is `deny-once`;
   * never rejects.
   */
  ask(question: AskQuestion, options: { readonly signal?: AbortSignal }): Promise<AskAnswer>;
}
