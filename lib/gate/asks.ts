import { decisionOf } from "../decide/decide.ts";
import type { Action } from "../model/action.ts";
import type { DecidedBy, Decision, UnitDecision } from "../model/decision.ts";

/** Whether only a person answers a unit's ask: a safety check's, a hook's, or that of a tool that needs a person. */
export function isLasting({ by, decidedBy }: UnitDecision): boolean {
  return by === "safety" || decidedBy === "safety" || decidedBy === "hook";
}

/** The units that ask. */
export function askingUnits({ units }: Decision): readonly UnitDecision[] {
  return units.filter(({ decision }) => decision === "ask");
}

/** What is said about units, and by whom. */
export interface Said {
  /** What is said. */
  readonly decision: Action;
  /** Who says it. */
  readonly by: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** The decision after something was said about those of its units that `concerns` picks; the strictest unit decides. */
export function withSaid(
  decision: Decision,
  { decision: action, by, reason }: Said,
  concerns: (unit: UnitDecision) => boolean,
): Decision {
  const units = decision.units.map((unit) =>
    concerns(unit) ? { ...unit, decision: action, decidedBy: by, reason } : unit
  );
  return decisionOf(units, decision);
}

/** The decision after something was said about every unit that asks. */
export function withAnswer(decision: Decision, said: Said): Decision {
  return withSaid(decision, said, (unit) => unit.decision === "ask");
}
