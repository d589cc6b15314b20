import type { Decision, UnitDecision } from "../../model/decision.ts";
import { decisionOf } from "../../decide/decide.ts";
import { asksBySpec } from "../../decide/modes/asks_by_spec.ts";
import type { AutoMode, Opinion } from "./opinion.ts";

/** What auto mode is asked with. */
export interface AskAutoOptions {
  /** Auto mode of this session. */
  readonly auto: AutoMode;
  /** Ends the wait; the opinion is then a fallback. */
  readonly signal?: AbortSignal;
}

/**
 * A question after auto mode was asked once about the whole call: allow, deny, or still a question that carries the reason.
 * What is no question, and a safety check, it is not asked about.
 */
export async function askAutoMode(
  asked: Decision,
  { auto, signal }: AskAutoOptions,
): Promise<Decision> {
  if (asked.decision !== "ask") return asked;
  const open = asked.units.filter(({ decision }) => decision === "ask");
  if (open.some(({ decidedBy }) => decidedBy === "safety")) return asked;
  const onlyDeny = open.some(asksBySpec);
  const opinion = await auto.judge(
    { call: asked.verdict.call, onlyDeny },
    signal === undefined ? {} : { signal },
  );
  return withOpinion(asked, opinion);
}

/** The decision with an opinion on every unit that is a question. */
export function withOpinion(asked: Decision, opinion: Opinion): Decision {
  const units = asked.units.map((unit) => unit.decision === "ask" ? judged(unit, opinion) : unit);
  return decisionOf(units, { ...asked, opinion: opinion.reason });
}

function judged(unit: UnitDecision, { decision, source, reason }: Opinion): UnitDecision {
  const action = ({ allow: "allow", soft_deny: "ask", hard_deny: "deny" } as const)[decision];
  return { ...unit, decision: action, decidedBy: source, reason: `${reason}; ${unit.reason}` };
}
