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
  /** Every unit, the call itself first. */
  readonly units: readonly UnitDecision[];
  /** What a person should know besides. */
  readonly warnings: readonly string[];
}
