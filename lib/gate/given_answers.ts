/**
 * The answers that people and models give to a call's questions. While somebody thinks about a question the policy, the mode
 * and the links on the disk may change. So the rules are asked again after each answer, and the answer holds for the
 * questions that were shown, and for no others.
 *
 * @module
 */
import type { CallPlaces, Decision, UnitDecision } from "../model/verdict.ts";
import type { Answers } from "./answers.ts";
import { withUnitAnswers } from "./question.ts";
import { type CallState, type GivenAnswers, NO_ANSWERS } from "./stages/stage.ts";

/** A call with its questions. */
type Questioned = Pick<CallState, "call" | "places" | "answers" | "questions">;

/**
 * A unit's question in one text: the unit, who asks it and why, and every place that the call is about. Another place, rule
 * or safety check is another question.
 */
export function questionKey(
  { kind, tool, text, via, path, by, decidedBy, rule, reason, check }: UnitDecision,
  { places }: Pick<CallState, "places">,
): string {
  // An allow rule asks nothing: there the safety check, the hook or the tool does.
  const asking = rule === null || rule.action === "allow" ? undefined : rule;
  const asks = asking && [asking.pattern, asking.action, asking.source.kind, asking.source.path];
  // The sentence of a rule says no more than its pattern.
  const why = decidedBy === "rule" ? null : [reason, check ?? null];
  const unit = [kind, tool, text, via, path ?? null];
  return JSON.stringify(["question", unit, by, decidedBy, asks ?? null, why, places?.fingerprint]);
}

/** The questions that a decision asks about a call in these places, in one text. */
export function questionsIn(decision: Decision, places: CallPlaces): string {
  const asking = decision.units.filter((unit) => unit.decision === "ask");
  return JSON.stringify(asking.map((unit) => questionKey(unit, { places })));
}

/** A unit that was shown with a question, in one text. */
function shownKey(
  { kind, tool, text, via, path }: UnitDecision,
  { places }: Pick<CallState, "places">,
): string {
  return JSON.stringify(["shown", kind, tool, text, via, path ?? null, places?.fingerprint]);
}

/** The questions that are still asked. */
export function openQuestions(
  { decision, questions = [] }: Pick<CallState, "decision" | "questions">,
): readonly string[] {
  return questions.filter((question, index) =>
    question !== undefined && decision?.units[index]?.decision === "ask"
  ) as readonly string[];
}

/** The call with its open questions allowed by a person. */
export function withAllowed<T extends Questioned & { readonly decision: Decision }>(
  passing: T,
): T & { readonly answers: GivenAnswers } {
  const { decision, answers = NO_ANSWERS } = passing;
  const shown = decision.units.filter((unit) => unit.decision === "ask")
    .map((unit) => shownKey(unit, passing));
  const allowed = new Set([...answers.allowed, ...openQuestions(passing), ...shown]);
  return { ...passing, answers: { ...answers, allowed, asked: answers.asked + 1 } };
}

/**
 * The decision with what a person has allowed. A unit that was asked about and that a rule allows by now, the person's own
 * “always” above all, is the person's to have allowed.
 */
export function withGivenAnswers(decision: Decision, passing: Questioned): Decision {
  const { answers: { allowed } = NO_ANSWERS, questions = [] } = passing;
  if (allowed.size === 0) return decision;
  const answer = { decision: "allow", by: "ask", reason: "a person allowed it" } as const;
  return withUnitAnswers(decision, answer, (unit) => {
    const question = questions[decision.units.indexOf(unit)];
    if (question !== undefined) return allowed.has(question);
    return unit.decision === "allow" && unit.decidedBy === "rule" &&
      allowed.has(shownKey(unit, passing));
  });
}

/** True if a person has allowed every open question of this very call for the session. */
export function isRemembered(
  passing: Questioned & { readonly decision: Decision },
  answers: Answers,
): boolean {
  return answers.remembers(passing.call, passing.decision, openQuestions(passing));
}
