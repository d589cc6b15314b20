import type { Action } from "./action.ts";
import type { ModeName } from "./names.ts";
import type { UnitVerdict, Verdict } from "./verdict.ts";

/** The origin of a decision. */
export type DecidedBy =
  | "rule"
  | "safety"
  | "mode"
  | "bypass"
  | "disabled"
  | "headless"
  | "auto-allow"
  | "static-rule"
  | "classifier"
  | "cache"
  | "fallback"
  | "hook"
  | "tool"
  | "ask";

/** A unit's verdict with the decision of the mode. */
export interface UnitDecision extends UnitVerdict {
  /** The verdict, or the action that the mode replaces it by. */
  readonly decision: Action;
  /** The origin of the decision. */
  readonly decidedBy: DecidedBy;
  /** The safety check that stops it, whatever the rules decide, in one sentence; absent if there is none. */
  readonly check?: string;
}

/** The decision on a call. */
export interface Decision {
  /** The verdict of the rules alone. */
  readonly verdict: Verdict;
  /** The strictest decision of the units. */
  readonly decision: Action;
  /** The mode, or `disabled`. */
  readonly mode: ModeName | "disabled";
  /** The origin of the decision. */
  readonly decidedBy: DecidedBy;
  /** The reason, in one sentence without a final full stop. */
  readonly reason: string;
  /** Every unit of the verdict in its order, then accesses to protected files that no rule has decided. */
  readonly units: readonly UnitDecision[];
  /** The opinion of auto mode, in one sentence; absent if it was not asked. */
  readonly opinion?: string;
  /** Warnings for people, one sentence each. */
  readonly warnings: readonly string[];
}
