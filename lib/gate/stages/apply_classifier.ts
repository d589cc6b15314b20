import { type Opinion as AutoOpinion, OPINIONS } from "../auto/opinion.ts";
import { decisionOf } from "../../decide/decide.ts";
import type { Decision } from "../../model/verdict.ts";
import { asksBySpecifier } from "../../decide/precedence.ts";
import { modeNamed } from "../../decide/modes.ts";
import { openQuestions } from "../given_answers.ts";
import { askingUnits, isLasting, withAnswer, withUnitAnswers } from "../question.ts";
import {
  type CallState,
  type GateContext,
  NO_ANSWERS,
  type Stage,
  type StageResult,
} from "./stage.ts";

/**
 * Auto mode, in the mode `auto`. If a written rule with a specifier asks it can only deny; what needs a person is denied by
 * its list `hard_deny` alone, without a request, and so is what rules allow. After an opinion the rules are asked again: it
 * counts only for the questions that it is about, and while the mode is still `auto`.
 */
export const applyClassifier: Stage = {
  name: "classifier",
  concerns({ decision }, { classifier }) {
    return classifier !== undefined && decision !== undefined && decision.decision !== "deny" &&
      asksModel(decision.mode);
  },
  async run(passing, context) {
    const { decision } = passing;
    if (decision === undefined) throw new TypeError("Cannot ask the classifier before the mode");
    if (decision.decision === "allow" || askingUnits(decision).some(isLasting)) {
      return byListAlone(passing, context);
    }
    const onlyDeny = askingUnits(decision).some(asksBySpecifier);
    const about = JSON.stringify(openQuestions(passing));
    const { answers = NO_ANSWERS } = passing;
    const known = answers.opinion?.about === about ? answers.opinion.opinion : undefined;
    const opinion = known ?? await opinionOn(passing, { context, onlyDeny });
    const { source: by, reason } = opinion;
    const result = opinion.decision === "hard_deny"
      ? "deny"
      : opinion.decision === "allow" && !onlyDeny
      ? "allow"
      : "ask";
    if (known === undefined) {
      const given = { ...answers, opinion: { about, opinion } };
      return { kind: "again", passing: { ...passing, answers: given }, result, reason };
    }
    const answered = result === "ask"
      ? stillAsked(decision, opinion)
      : withAnswer(decision, { decision: result, by, reason });
    return { kind: "next", passing: { ...passing, decision: answered }, result, reason };
  },
};

/** A question for a person, or what is allowed, denied where `hard_deny` matches. */
function byListAlone(passing: CallState, { classifier }: GateContext): StageResult {
  const { decision } = passing;
  if (decision === undefined) throw new TypeError("Cannot ask the classifier before the mode");
  const denial = classifier?.hardDenial?.(passing.call);
  if (denial?.decision !== "hard_deny") {
    return { kind: "next", passing, result: "passes", reason: "" };
  }
  const { source: by, reason } = denial;
  const denied = withUnitAnswers(
    decision,
    { decision: "deny", by, reason },
    (unit) => unit.decision === decision.decision,
  );
  return { kind: "next", passing: { ...passing, decision: denied }, result: "deny", reason };
}

function asksModel(mode: Decision["mode"]): boolean {
  return modeNamed(mode)?.asksModel === true;
}

/** The same questions, with the opinion's reason. */
function stillAsked(decision: Decision, { source, reason }: AutoOpinion): Decision {
  const units = decision.units.map((unit) =>
    unit.decision === "ask"
      ? { ...unit, decidedBy: source, reason: `${reason}; ${unit.reason}` }
      : unit
  );
  return decisionOf(units, decision);
}

/** The opinion; a soft deny if the classifier gives none or fails. */
async function opinionOn(
  { call, places }: CallState,
  { context: { classifier, signal }, onlyDeny }: {
    readonly context: GateContext;
    readonly onlyDeny: boolean;
  },
): Promise<AutoOpinion> {
  try {
    const question = {
      call,
      ...(places === undefined ? {} : { places }),
      ...(onlyDeny ? { onlyDeny } : {}),
    };
    const opinion = await classifier?.classify(question, signal === undefined ? {} : { signal });
    return isOpinion(opinion) ? opinion : fallback("auto mode gave no opinion");
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return fallback(`asking auto mode failed: ${detail}`);
  }
}

function isOpinion(opinion: AutoOpinion | undefined): opinion is AutoOpinion {
  return opinion !== undefined && OPINIONS.includes(opinion.decision) &&
    typeof opinion.reason === "string";
}

function fallback(reason: string): AutoOpinion {
  return { decision: "soft_deny", source: "fallback", reason };
}
