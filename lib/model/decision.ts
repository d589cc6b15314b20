import type { Action } from "./action.ts";
import type { ModeName } from "./settings.ts";
import type { UnitVerdict, Verdict } from "./verdict.ts";

/** Who made a decision. */
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

/** A unit's verdict, and what the mode makes of it. */
export interface UnitDecision extends UnitVerdict {
  /** What happens. */
  readonly decision: Action;
  /** Who decided. */
  readonly decidedBy: DecidedBy;
  /** The safety check that stops it whatever the rules say, in one sentence; absent when there is none. */
  readonly check?: string;
}

/** What happens to a call. */
export interface Decision {
  /** What the rules alone say. */
  readonly verdict: Verdict;
  /** What happens: the strictest of the units. */
  readonly decision: Action;
  /** The mode, or `disabled`. */
  readonly mode: ModeName | "disabled";
  /** Who decided. */
  readonly decidedBy: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
  /** Every unit of the verdict in its order, then what the call does to protected files that no rule was asked about. */
  readonly units: readonly UnitDecision[];
  /** What auto mode says about the call, in one sentence; absent when it was not asked. */
  readonly opinion?: string;
  /** What a person should know besides. */
  readonly warnings: readonly string[];
}
