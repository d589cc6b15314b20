import { decisionOf } from "../../decide/decide.ts";
import { asksBySpecifier } from "../../decide/precedence.ts";
import type { CallPlaces, Decision, UnitDecision } from "../../model/verdict.ts";
import { defined } from "../../text/json_value.ts";
import type { AutoMode, Opinion } from "./opinion.ts";

/** Options of `applyAutoMode`. */
export interface AskAutoOptions {
  /** Auto mode of this session. */
  readonly auto: AutoMode;
  /** The places of the call, as the rules have seen them; looked up when left out. */
  readonly places?: CallPlaces;
  /** Ends the wait; the opinion is then a fallback. */
  readonly signal?: AbortSignal;
}

/**
 * Answers an ask by the opinion of auto mode on the whole call: allow, deny, or still an ask, with the reason. A safety check
 * and what a rule allows are denied where `hard_deny` matches, and else stay, as a denial does.
 */
export async function applyAutoMode(
  asked: Decision,
  { auto, places, signal }: AskAutoOptions,
): Promise<Decision> {
  if (asked.decision !== "ask") return deniedByList(asked, auto);
  const open = asked.units.filter(({ decision }) => decision === "ask");
  if (open.some(({ decidedBy }) => decidedBy === "safety")) return deniedByList(asked, auto);
  const onlyDeny = open.some(asksBySpecifier);
  const opinion = await auto.classify(
    { call: asked.verdict.call, onlyDeny, ...(places === undefined ? {} : { places }) },
    defined({ signal }),
  );
  return withOpinion(asked, opinion);
}

/** The decision, denied if the list `hard_deny` matches, even if a rule or mode asks or allows. No model is asked. */
export function deniedByList(decision: Decision, auto: AutoMode): Decision {
  if (decision.decision === "deny") return decision;
  const denial = auto.hardDenial?.(decision.verdict.call);
  return denial?.decision === "hard_deny" ? withOpinion(decision, denial) : decision;
}

/** The decision with the opinion on every unit that asks, on every one where none does. */
function withOpinion(asked: Decision, opinion: Opinion): Decision {
  const units = asked.units.map((unit) =>
    unit.decision === asked.decision ? withUnitOpinion(unit, opinion) : unit
  );
  return decisionOf(units, { ...asked, opinion: opinion.reason });
}

function withUnitOpinion(unit: UnitDecision, { decision, source, reason }: Opinion): UnitDecision {
  const action = ({ allow: "allow", soft_deny: "ask", hard_deny: "deny" } as const)[decision];
  return { ...unit, decision: action, decidedBy: source, reason: `${reason}; ${unit.reason}` };
}
