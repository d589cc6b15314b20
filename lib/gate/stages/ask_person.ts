import { decide } from "../../decide/decide.ts";
import { modeNamed } from "../../decide/modes/registry.ts";
import type { AskAnswer, AskHandler, AskKind } from "../../model/ask.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Decision } from "../../model/decision.ts";
import { suggestRules } from "../../suggest/suggest_rules.ts";
import { askingUnits, isLasting, type Said, withAnswer, withSaid } from "../asks.ts";
import { isAboutVeryCall, questionFor } from "../question.ts";
import type { Passing, Scene, Stage, StageResult } from "./stage.ts";

/** With more rules than this a remedy is none that anybody reads. */
const MOST_RULES = 3;

/** Why a call is denied where nobody can be asked, and what would allow it; nothing would where a person must see it. */
function headlessReason(
  call: ToolCall,
  { decision, scene: { policy } }: { readonly decision: Decision; readonly scene: Scene },
): string {
  const reason = `nobody can be asked (headless); ${decision.reason}`;
  if (isAboutVeryCall(decision)) return reason;
  const { verdict } = decision;
  const acceptEdits = modeNamed("acceptEdits");
  const isEdit = acceptEdits !== undefined &&
    decide(policy, verdict, { mode: acceptEdits }).decision === "allow";
  const rules = suggestRules(policy, call, verdict);
  const named = rules.map(({ pattern }) => `\`allow ${pattern}\``).join(" and ");
  const remedies = [
    ...(isEdit ? ["the mode acceptEdits"] : []),
    ...(rules.length === 0 || rules.length > MOST_RULES
      ? []
      : [rules.length === 1 ? `the rule ${named}` : `the rules ${named}`]),
  ];
  return remedies.length === 0 ? reason : `${reason}; ${remedies.join(" or ")} would allow it`;
}

/** Who answers what is still asked: flags, an answer that was given before, a person, or nobody. */
export const promptPerson: Stage = {
  name: "ask",
  concerns: ({ decision }) => decision?.decision === "ask",
  async run(passing, scene) {
    const { limits, headless, ask, answers } = scene;
    const asked = required(passing);
    if (limits.denies !== undefined) {
      const reason = `${limits.denies}; ${asked.reason}`;
      return answered({ ...passing, decision: asked }, {
        decision: "deny",
        by: "headless",
        reason,
      });
    }
    const flagged = scene.autoAllow ? autoAllowed(passing, asked) : { ...passing, decision: asked };
    const { decision } = flagged;
    if (decision.decision !== "ask") return goesOn(flagged);
    if (answers.remembers(passing.call, decision)) {
      const reason = "a person allowed this very call for the session";
      return answered(flagged, { decision: "allow", by: "ask", reason });
    }
    if (headless) {
      const reason = headlessReason(passing.call, { decision, scene });
      return answered(flagged, { decision: "deny", by: "headless", reason });
    }
    if (ask === undefined) return goesOn(flagged);
    return await answerOf(ask, { passing: flagged, scene });
  },
};

type Asking = Passing & { readonly decision: Decision };

function required({ decision }: Passing): Decision {
  if (decision === undefined) throw new TypeError("Cannot ask a person before the mode");
  return decision;
}

function answered(passing: Asking, said: Said): StageResult {
  return goesOn({ ...passing, decision: withAnswer(passing.decision, said) });
}

function goesOn(passing: Asking): StageResult {
  const { decision: result, reason } = passing.decision;
  return { kind: "goes-on", passing, result, reason };
}

/** Ordinary questions are answered with allow, loudly. */
function autoAllowed(passing: Passing, decision: Decision): Asking {
  const reason = "every question is answered with allow (auto-allow)";
  const said = { decision: "allow", by: "auto-allow", reason } as const;
  const concerned = askingUnits(decision).filter((unit) => !isLasting(unit));
  if (concerned.length === 0) return { ...passing, decision };
  return {
    ...passing,
    decision: withSaid(decision, said, (unit) => concerned.includes(unit)),
    warnings: [...passing.warnings, `${passing.call.tool} was not asked about: ${reason}`],
  };
}

async function answerOf(
  ask: AskHandler,
  { passing, scene }: { readonly passing: Asking; readonly scene: Scene },
): Promise<StageResult> {
  const { signal, classifier, answers, limits } = scene;
  const question = questionFor(passing, scene);
  const given = await ask.ask(question, signal === undefined ? {} : { signal });
  // Whoever gave the call up meanwhile gets no answer, and nothing of it is kept.
  signal?.throwIfAborted();
  const answer = checkedAnswer(given);
  const { kind } = answer;
  const isAlways = kind === "allow-always" || kind === "deny-always";
  const kept = isAlways ? await answers.keep(answer, { question, scene }) : [];
  const told = { ...passing, warnings: [...passing.warnings, ...kept] };
  if (kind === "deny-once" || kind === "deny-always") {
    const reason = answer.comment ?? "it was asked about, and not allowed";
    return answered(told, { decision: "deny", by: "ask", reason });
  }
  // A sub-agent's own handler is not the person that auto mode waits for.
  if (!limits.keepsNothing) classifier?.approved();
  return answered(told, { decision: "allow", by: "ask", reason: "a person allowed it" });
}

const KINDS: readonly AskKind[] = ["allow-once", "allow-always", "deny-once", "deny-always"];

/** The answer, each member read one time: what is checked is what counts. Throws TypeError for one that is none. */
function checkedAnswer(given: AskAnswer): AskAnswer {
  const { kind, pattern, patterns, scope, comment } = given ?? {};
  if (!KINDS.some((each) => each === kind)) {
    throw new TypeError("Cannot take the answer of the ask handler: it has no known kind");
  }
  if (patterns !== undefined && !Array.isArray(patterns)) {
    throw new TypeError("Cannot take the answer of the ask handler: its patterns are no list");
  }
  return {
    kind,
    ...(pattern === undefined ? {} : { pattern }),
    ...(patterns === undefined ? {} : { patterns: [...patterns] }),
    ...(scope === undefined ? {} : { scope }),
    ...(typeof comment === "string" ? { comment } : {}),
  };
}
