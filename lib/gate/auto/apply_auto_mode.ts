import { decisionOf } from "../../decide/decide.ts";
import { asksBySpecifier } from "../../decide/unit_result.ts";
import type { Decision, UnitDecision } from "../../model/verdict.ts";
import { defined } from "../../text/json_value.ts";
import type { AutoMode, Opinion } from "./opinion.ts";

/** Options of `applyAutoMode`. */
export interface AskAutoOptions {
  /** Auto mode of this session. */
  readonly auto: AutoMode;
  /** Ends the wait; the opinion is then a fallback. */
  readonly signal?: AbortSignal;
}

/**
 * Answers an ask by the opinion of auto mode on the whole call: allow, deny, or still an ask, with the reason. Other
 * decisions and safety checks stay as they are.
 */
export async function applyAutoMode(
  asked: Decision,
  { auto, signal }: AskAutoOptions,
): Promise<Decision> {
  if (asked.decision !== "ask") return asked;
  const open = asked.units.filter(({ decision }) => decision === "ask");
  if (open.some(({ decidedBy }) => decidedBy === "safety")) return asked;
  const onlyDeny = open.some(asksBySpecifier);
  const opinion = await auto.classify(
    { call: asked.verdict.call, onlyDeny },
    defined({ signal }),
  );
  return withOpinion(asked, opinion);
}

/** The decision with the opinion on every unit that asks. */
function withOpinion(asked: Decision, opinion: Opinion): Decision {
  const units = asked.units.map((unit) =>
    unit.decision === "ask" ? withUnitOpinion(unit, opinion) : unit
  );
  return decisionOf(units, { ...asked, opinion: opinion.reason });
}

function withUnitOpinion(unit: UnitDecision, { decision, source, reason }: Opinion): UnitDecision {
  const action = ({ allow: "allow", soft_deny: "ask", hard_deny: "deny" } as const)[decision];
  return { ...unit, decision: action, decidedBy: source, reason: `${reason}; ${unit.reason}` };
}
