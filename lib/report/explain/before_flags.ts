import type { Action } from "../../model/call.ts";
import type { DecidedBy } from "../../model/verdict.ts";
import type { Explanation } from "./explanation.ts";

/** A decision, or the decision on a unit. */
interface Decided {
  readonly decision: Action;
  readonly decidedBy: DecidedBy;
}

/** The action before flags answer questions. */
export function beforeFlags({ decision, decidedBy }: Decided): Action {
  return isByFlag(decidedBy) ? "ask" : decision;
}

/** The explanation with the reasons that units had before flags answered. */
export function withOwnReasons(explanation: Explanation): Explanation {
  const { decision } = explanation;
  const units = decision.units.map((unit, index) =>
    isByFlag(unit.decidedBy)
      ? { ...unit, reason: decision.verdict.units[index]?.reason ?? unit.reason }
      : unit
  );
  return { ...explanation, decision: { ...decision, units } };
}

function isByFlag(decidedBy: DecidedBy): boolean {
  return decidedBy === "headless" || decidedBy === "auto-allow";
}
