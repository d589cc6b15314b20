import { decisionOf } from "../decide/decide.ts";
import type { Evaluation } from "../decide/evaluate.ts";
import type { Action } from "../model/call.ts";
import type { AskQuestion, AskScope, DecidedBy, Decision, UnitDecision } from "../model/verdict.ts";
import { classRuleFor } from "../suggest/class_rule.ts";
import { suggestLiteral, suggestRules } from "../suggest/suggest_rules.ts";
import { overPolicy } from "./gate_state.ts";
import type { CallState, GateContext } from "./stages/stage.ts";

/** A call that is asked about. */
type Questioned = Pick<CallState, "call" | "places" | "answers"> & {
  readonly decision: Decision;
  readonly evaluation: Evaluation;
};

/** The question about a call, with what can be kept of its answer. */
export function questionFor(
  { call, decision, evaluation, places, answers }: Questioned,
  context: GateContext,
): AskQuestion {
  const scopes = scopesFor(decision, context);
  const patterns = scopes.length === 0 ? [] : patternsFor({ decision, evaluation }, context);
  const [first] = patterns;
  const classRule = scopes.length === 0 ? undefined : classRuleOf({ call, decision }, context);
  const comment = askingUnits(decision).find(({ rule }) => rule?.comment !== undefined)?.rule
    ?.comment;
  const again = answers === undefined || answers.asked === 0 ? [] : [AGAIN];
  const reason = reasonFor(decision, { context, again });
  return {
    call,
    decision,
    ...(places === undefined ? {} : { places }),
    ...(patterns.length > 1
      ? { suggestions: patterns }
      : first === undefined
      ? {}
      : { suggestion: first }),
    ...(classRule === undefined ? {} : { classRule }),
    ...(comment === undefined || comment === decision.verdict.rule?.comment ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    scopes,
  };
}

/** The patterns that a question suggests. */
export function suggestedBy({ suggestion, suggestions }: AskQuestion): readonly string[] {
  return suggestions ?? (suggestion === undefined ? [] : [suggestion]);
}

/** True for a safety check or a tool's own ask, which no rule answers: then the very call is remembered. */
export function isAboutVeryCall(decision: Decision): boolean {
  return askingUnits(decision).some((unit) => isLasting(unit) || unit.decidedBy === "tool");
}

/** True for a hook's ask, and that of a tool that needs a person: they are never remembered. */
export function isAskedEachTime(decision: Decision, { tool }: Pick<GateContext, "tool">): boolean {
  return askingUnits(decision).some(({ decidedBy }) =>
    decidedBy === "hook" || decidedBy === "tool" && tool?.needsPerson === true
  );
}

function scopesFor(decision: Decision, context: GateContext): readonly AskScope[] {
  const { limits, policy, answers } = context;
  const isLost = limits.keepsNothing || policy.settings.managedOnly;
  if (isLost || isAskedEachTime(decision, context)) return [];
  return isAboutVeryCall(decision) ? ["session"] : ["session", ...answers.scopes()];
}

function patternsFor(
  { decision, evaluation }: Pick<Questioned, "decision" | "evaluation">,
  { policy }: GateContext,
): readonly string[] {
  if (isAboutVeryCall(decision)) {
    const literal = suggestLiteral(policy, evaluation.request);
    return literal === undefined ? [] : [literal];
  }
  const { verdict } = decision;
  const units = verdict.units.filter((_unit, index) => decision.units[index]?.decision === "ask");
  return suggestRules(policy, { ...evaluation, verdict: { ...verdict, units } }).map((
    { pattern },
  ) => pattern);
}

/** The rule for the class of all that asks, which no safety check, hook or tool may ask about. */
function classRuleOf(
  { call, decision }: Pick<Questioned, "call" | "decision">,
  { policy, now }: GateContext,
): AskQuestion["classRule"] {
  if (isAboutVeryCall(decision)) return undefined;
  const time = now();
  return classRuleFor(askingUnits(decision), {
    call,
    trial: {
      policy,
      options: time === undefined ? {} : { now: time },
      withRule: (pattern) => overPolicy(policy, [{ pattern, action: "allow" }]),
    },
  });
}

/** The reason of a second question about a call. */
const AGAIN = "asked again: the call's files, rules or mode changed after the answer";

function reasonFor(
  decision: Decision,
  { context: { limits }, again }: {
    readonly context: GateContext;
    readonly again: readonly string[];
  },
): string | undefined {
  const reasons = [
    ...again,
    ...(limits.asks === undefined ? [] : [`${limits.asks} asks`]),
    ...(decision.decidedBy === "rule" ? [] : [decision.reason]),
  ];
  return reasons.length === 0 ? undefined : reasons.join("; ");
}

/** True if only a person answers a unit's ask: a safety check's, a hook's, or that of a tool that needs a person. */
export function isLasting({ by, decidedBy }: UnitDecision): boolean {
  return by === "safety" || decidedBy === "safety" || decidedBy === "hook";
}

/** The units that ask. */
export function askingUnits({ units }: Decision): readonly UnitDecision[] {
  return units.filter(({ decision }) => decision === "ask");
}

/** An answer about units. */
export interface UnitAnswer {
  readonly decision: Action;
  /** The decider. */
  readonly by: DecidedBy;
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** The decision with an answer for those of its units that `concerns` picks; the strictest unit decides. */
export function withUnitAnswers(
  decision: Decision,
  { decision: action, by, reason }: UnitAnswer,
  concerns: (unit: UnitDecision) => boolean,
): Decision {
  const units = decision.units.map((unit) =>
    concerns(unit) ? { ...unit, decision: action, decidedBy: by, reason } : unit
  );
  return decisionOf(units, decision);
}

/** The decision with an answer for every unit that asks. */
export function withAnswer(decision: Decision, answer: UnitAnswer): Decision {
  return withUnitAnswers(decision, answer, (unit) => unit.decision === "ask");
}
