import { type Action, strictestOf } from "../model/action.ts";
import type { DecidedBy, Decision, UnitDecision } from "../model/decision.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { type ProtectedUnit, protectedUnits } from "./protected/guard_call.ts";
import type { Mode } from "./modes/mode.ts";
import { defaultMode } from "./modes/default.ts";
import { isInside } from "../pattern/path/path_facts.ts";
import type { Policy } from "../policy/compile/policy.ts";

/** What happens to a question when nobody can be asked. */
export interface AnswerOptions {
  /** Nobody can be asked: ask is deny. */
  readonly headless?: boolean;
  /** Ordinary questions are answered with allow. */
  readonly autoAllow?: boolean;
}

/** How a verdict becomes a decision. */
export interface DecideOptions extends AnswerOptions {
  /** The mode in force. */
  readonly mode: Mode;
}

/**
 * What happens to a call: the verdict of its policy, unit by unit with its safety checks, after the mode, and after the
 * flags that answer questions. Where the policy says `enforce`, a mode that lifts denials is the default mode.
 */
export function decide(policy: Policy, verdict: Verdict, options: DecideOptions): Decision {
  return answerQuestions(applyMode(policy, verdict, options.mode), options);
}

/** The same before questions are answered. */
export function applyMode(policy: Policy, verdict: Verdict, wanted: Mode): Decision {
  const { enforce } = policy.settings;
  const refused = wanted.liftsDenials && enforce?.value;
  const mode = refused ? defaultMode : wanted;
  const guarded = mode.liftsDenials
    ? verdict.units.map((unit) => ({ unit }))
    : protectedUnits(policy, verdict);
  const units = guarded.map((each) => unitDecision(each, { policy, verdict, mode }));
  const refusal = refused
    ? [
      `${wanted.name} is refused: "enforce = true" in ${enforce.source.path}:${enforce.source.line}`,
    ]
    : [];
  return decisionOf(units, {
    verdict,
    mode: mode.name,
    warnings: [...verdict.warnings, ...refusal],
  });
}

/** A decision whose questions are answered where nobody is asked; a safety check is never answered with allow. */
export function answerQuestions(decision: Decision, options: AnswerOptions): Decision {
  if (decision.decision === "allow" || !options.headless && !options.autoAllow) return decision;
  return decisionOf(decision.units.map((unit) => answered(unit, options)), decision);
}

/** The decision that units come to: the strictest of them, and of equals the one that is not the rules' own. */
export function decisionOf(
  units: readonly UnitDecision[],
  { verdict, mode, warnings, opinion }: Omit<
    Decision,
    "decision" | "decidedBy" | "reason" | "units"
  >,
): Decision {
  const strictest = strictestOf(units, ({ decision, decidedBy }) => ({
    action: decision,
    by: decidedBy === "safety" ? "safety" : "rule",
  }));
  const changed = strictest.decision === "allow"
    ? units.find(({ action, decision, decidedBy }) => action !== decision || decidedBy !== "rule")
    : undefined;
  const { decision, decidedBy, reason } = changed ?? strictest;
  return {
    verdict,
    decision,
    mode,
    decidedBy,
    reason,
    units,
    ...(opinion === undefined ? {} : { opinion }),
    warnings,
  };
}

interface DecideContext {
  readonly policy: Policy;
  readonly verdict: Verdict;
  readonly mode: Mode;
}

function unitDecision(
  guarded: ProtectedUnit,
  { policy, verdict, mode }: DecideContext,
): UnitDecision {
  const { unit } = guarded;
  const asked = checked(guarded);
  const toolClass = policy.profiles.get(unit.tool).class;
  const answer = mode.answer({
    unit: asked,
    ...(toolClass === undefined ? {} : { class: toolClass }),
    isInside: () => isUnitInside(asked, { policy, verdict }),
  });
  const check = asked === unit ? undefined : guarded.check;
  return {
    ...unit,
    ...reasoned(answer, asked.reason),
    ...(check === undefined ? {} : { check }),
  };
}

/** What a mode is shown: a check stops what a rule allows, and what a rule asks about is no ordinary question then. */
function checked({ unit, check }: ProtectedUnit): UnitVerdict {
  if (check === undefined || unit.action === "deny") return unit;
  return { ...unit, action: "ask", by: "safety", reason: check };
}

/** Whether the file of a unit is known and, links followed, inside the workspace. */
function isUnitInside(
  { kind, text, path }: UnitVerdict,
  { policy, verdict }: Omit<DecideContext, "mode">,
): boolean {
  const request = policy.request(verdict.call);
  if (kind !== "call") return path === "fixed" && isInside(request.path(text));
  const { first, profile } = request;
  return profile.kind === "path" && first.state === "text" && isInside(request.path(first.text));
}

interface Answer {
  readonly decision: Action;
  readonly decidedBy: DecidedBy;
  readonly reason?: string;
}

function answered(unit: UnitDecision, { headless, autoAllow }: AnswerOptions): UnitDecision {
  if (unit.decision !== "ask") return unit;
  const answer: Answer | undefined = autoAllow && unit.decidedBy !== "safety"
    ? {
      decision: "allow",
      decidedBy: "auto-allow",
      reason: "every question is answered with allow (--auto-allow)",
    }
    : headless
    ? { decision: "deny", decidedBy: "headless", reason: "nobody can be asked (--headless)" }
    : undefined;
  return answer ? { ...unit, ...reasoned(answer, unit.reason) } : unit;
}

function reasoned({ decision, decidedBy, reason }: Answer, before: string) {
  return { decision, decidedBy, reason: reason === undefined ? before : `${reason}; ${before}` };
}
