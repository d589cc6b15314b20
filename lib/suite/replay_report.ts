import type { Action } from "../model/action.ts";
import type { Rule } from "../model/rule.ts";
import type { CallGroup } from "./replay_groups.ts";

/** How many calls, and how many of them were not whole in the record. */
export type CallCount = Omit<CallGroup, "example">;

/** A rule and the calls in which it decided something. */
export interface RuleUse extends CallCount {
  /** The rule; null for calls of which a part fits none. */
  readonly rule: Rule | null;
}

/** Calls that ask and that one narrow rule would answer, in part or whole. */
export interface AskGroup extends CallGroup {
  /** The pattern of that rule; undefined where no pattern says it. */
  readonly pattern: string | undefined;
}

/** What was said of a group of calls. */
export interface SaidOf {
  /** The action. */
  readonly action: Action;
  /** The rule that decided; null where none fits, absent where only the action is known. */
  readonly rule?: Rule | null;
}

/** Calls of which two policies, or the record and the policy, say different things. */
export interface ChangeGroup extends CallGroup {
  /** What the other policy says, or the record. */
  readonly was: SaidOf;
  /** What the policy says. */
  readonly now: SaidOf;
}

/** Groups, and how many calls there was no room for. */
export interface Bounded<T> {
  /** The groups. */
  readonly groups: readonly T[];
  /** Calls that are in none of them. */
  readonly others: number;
}

/** What came of a replay. */
export interface ReplayReport {
  /** All calls. */
  readonly all: CallCount;
  /** Calls by what is decided. */
  readonly decisions: Readonly<Record<Action, CallCount>>;
  /** Rules by their calls, most used first. */
  readonly rules: readonly RuleUse[];
  /** Rules that decided nothing, in their order; without the built-in ones. */
  readonly unused: readonly Rule[];
  /** What asks, most frequent first. A call counts in each group that it is of. */
  readonly asks: Bounded<AskGroup>;
  /** What another policy decides otherwise, what lets more run first; absent without one. */
  readonly changes?: Bounded<ChangeGroup>;
  /** What the rules said otherwise when it was recorded; absent where no line says it. */
  readonly since?: Bounded<ChangeGroup>;
}
