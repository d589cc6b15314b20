import { modeNamed, refusal } from "../../decide/modes.ts";
import type { Evaluation } from "../../decide/evaluate.ts";
import type { AskAnswer, AskHandler, AskKind, Decision } from "../../model/verdict.ts";
import { waysText, waysToAllow } from "../../suggest/ways_to_allow.ts";
import { isRemembered, openQuestions, withAllowed } from "../given_answers.ts";
import {
  askingUnits,
  isAboutVeryCall,
  isLasting,
  questionFor,
  type UnitAnswer,
  withAnswer,
  withUnitAnswers,
} from "../question.ts";
import {
  type CallState,
  type GateContext,
  NO_ANSWERS,
  type Stage,
  type StageResult,
} from "./stage.ts";

/** The reason why a call is denied without a person to ask, with the changes that would allow it, if any would. */
function headlessReason({ decision, evaluation }: Asking, { policy, now }: GateContext): string {
  const reason = `nobody can be asked (headless); ${decision.reason}`;
  const mode = modeNamed(decision.mode);
  if (isAboutVeryCall(decision) || mode === undefined) return reason;
  const ways = waysText(waysToAllow(policy, evaluation, { mode, now: now() }), "words");
  return ways === undefined ? reason : `${reason}; ${ways} would allow it`;
}

/** Answers the open questions by flags, an earlier answer or a person. Without any of these they stay open. */
export const promptPerson: Stage = {
  name: "ask",
  concerns: ({ decision }) => decision?.decision === "ask",
  async run(passing, context) {
    const { limits, headless, ask, answers } = context;
    const asked = required(passing);
    if (limits.denies !== undefined) {
      const reason = `${limits.denies}; ${asked.decision.reason}`;
      return answered(asked, {
        decision: "deny",
        by: "headless",
        reason,
      });
    }
    const flagged = context.autoAllow ? autoAllowed(asked, context) : asked;
    const { decision } = flagged;
    if (decision.decision !== "ask") return goesOn(flagged);
    if (isRemembered(flagged, answers)) {
      const reason = "a person allowed this exact call for the session";
      return answered(flagged, { decision: "allow", by: "ask", reason });
    }
    if (headless) {
      const reason = headlessReason(flagged, context);
      return answered(flagged, { decision: "deny", by: "headless", reason });
    }
    if (ask === undefined) return goesOn(flagged);
    return await answerOf(ask, { passing: flagged, context });
  },
};

type Asking = CallState & { readonly decision: Decision; readonly evaluation: Evaluation };

function required(passing: CallState): Asking {
  const { decision, evaluation } = passing;
  if (decision === undefined || evaluation === undefined) {
    throw new TypeError("Cannot ask a person before the mode");
  }
  return { ...passing, decision, evaluation };
}

function answered(passing: Asking, answer: UnitAnswer): StageResult {
  return goesOn({ ...passing, decision: withAnswer(passing.decision, answer) });
}

function goesOn(passing: Asking): StageResult {
  const { decision: result, reason } = passing.decision;
  return { kind: "next", passing, result, reason };
}

/** Ordinary questions are answered with allow, loudly; where the policy sets `enforce` they stay. */
function autoAllowed(passing: Asking, { policy: { settings }, enforce }: GateContext): Asking {
  const { decision } = passing;
  if (enforce) {
    return { ...passing, warnings: [...passing.warnings, refusal("auto-allow", settings)] };
  }
  const reason = "every question is answered with allow (auto-allow)";
  const answer = { decision: "allow", by: "auto-allow", reason } as const;
  const concerned = askingUnits(decision).filter((unit) => !isLasting(unit));
  if (concerned.length === 0) return passing;
  return {
    ...passing,
    decision: withUnitAnswers(decision, answer, (unit) => concerned.includes(unit)),
    warnings: [...passing.warnings, `${passing.call.tool} was not asked about: ${reason}`],
  };
}

async function answerOf(
  ask: AskHandler,
  { passing, context }: { readonly passing: Asking; readonly context: GateContext },
): Promise<StageResult> {
  const { signal, classifier, answers, limits } = context;
  if ((passing.answers ?? NO_ANSWERS).asked >= MOST_QUESTIONS) return answered(passing, RESTLESS);
  const question = questionFor(passing, context);
  const given = await ask.ask(question, signal === undefined ? {} : { signal });
  // A call that was aborted meanwhile gets no answer, and no rule is kept.
  signal?.throwIfAborted();
  const answer = checkedAnswer(given);
  const { kind } = answer;
  const isAlways = kind === "allow-always" || kind === "deny-always";
  const questions = openQuestions(passing);
  const kept = isAlways ? await answers.keep(answer, { question, questions, context }) : [];
  const noted = { ...passing, warnings: [...passing.warnings, ...kept] };
  if (kind === "deny-once" || kind === "deny-always") {
    const reason = answer.comment ?? "a person denied it";
    return answered(noted, { decision: "deny", by: "ask", reason });
  }
  // A sub-agent's own handler is not the person that auto mode waits for.
  if (!limits.keepsNothing) classifier?.approved();
  const reason = "a person allowed it";
  return { kind: "again", passing: withAllowed(noted), result: "allow", reason };
}

/** The most questions to a person about one call. */
const MOST_QUESTIONS = 3;

const RESTLESS: UnitAnswer = {
  decision: "deny",
  by: "safety",
  reason: "the call's files, rules or mode change faster than a person can answer",
};

const KINDS: readonly AskKind[] = ["allow-once", "allow-always", "deny-once", "deny-always"];

/** Copies and validates the answer, reading each property once, so that getters cannot change it later. Throws TypeError if malformed. */
function checkedAnswer(given: AskAnswer): AskAnswer {
  const { kind, pattern, patterns, scope, comment } = given ?? {};
  if (!KINDS.some((each) => each === kind)) {
    throw new TypeError("Cannot take the answer of the ask handler: it has no known kind");
  }
  if (patterns !== undefined && !Array.isArray(patterns)) {
    throw new TypeError("Cannot take the answer of the ask handler: its patterns are not a list");
  }
  return {
    kind,
    ...(pattern === undefined ? {} : { pattern }),
    ...(patterns === undefined ? {} : { patterns: [...patterns] }),
    ...(scope === undefined ? {} : { scope }),
    ...(typeof comment === "string" ? { comment } : {}),
  };
}
