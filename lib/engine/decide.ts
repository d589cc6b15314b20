import { type Action, strictestOf } from "../model/action.ts";
import type { DecidedBy, Decision, UnitDecision } from "../model/decision.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Mode } from "../modes/mode.ts";
import type { Policy } from "../policy/policy.ts";

/** What happens to a question when nobody can be asked. */
export interface DecideOptions {
  /** The mode in force. */
  readonly mode: Mode;
  /** Nobody can be asked: ask is deny. */
  readonly headless?: boolean;
  /** Ordinary questions are answered with allow. */
  readonly autoAllow?: boolean;
}

/** What happens to a call: the verdict, unit by unit after the mode, and after the flags that answer questions. */
export function decide(policy: Policy, verdict: Verdict, options: DecideOptions): Decision {
  const units = verdict.units.map((unit): UnitDecision => {
    const toolClass = policy.profiles.get(unit.tool).class;
    const answer = options.mode.answer({
      unit,
      ...(toolClass === undefined ? {} : { class: toolClass }),
    });
    const asked = answer.decision === "ask" ? answerAsk(answer.decidedBy, options) : answer;
    const reason = asked.reason === undefined ? unit.reason : `${asked.reason}; ${unit.reason}`;
    return { ...unit, decision: asked.decision, decidedBy: asked.decidedBy, reason };
  });
  const strictest = strictestOf(units, ({ decision, by }) => ({ action: decision, by }));
  return {
    verdict,
    decision: strictest.decision,
    mode: options.mode.name,
    decidedBy: strictest.decidedBy,
    reason: strictest.reason,
    units,
    warnings: verdict.warnings,
  };
}

interface Answered {
  readonly decision: Action;
  readonly decidedBy: DecidedBy;
  readonly reason?: string;
}

/** A question that is a safety check is never answered by a flag; where nobody can be asked it is a deny. */
function answerAsk(by: DecidedBy, { headless, autoAllow }: DecideOptions): Answered {
  if (autoAllow && by !== "safety") {
    return {
      decision: "allow",
      decidedBy: "auto-allow",
      reason: "every question is answered with allow (--auto-allow)",
    };
  }
  return headless
    ? { decision: "deny", decidedBy: "headless", reason: "nobody can be asked (--headless)" }
    : { decision: "ask", decidedBy: by };
}
