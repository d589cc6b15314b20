import { answerQuestions, decideInMode } from "../../decide/decide.ts";
import type { Mode } from "../../decide/modes.ts";
import { applyAutoMode, deniedByList } from "../../gate/auto/apply_auto_mode.ts";
import { placesOf } from "../../gate/call_places.ts";
import { questionsIn } from "../../gate/given_answers.ts";
import type { CallPlaces, Decision } from "../../model/verdict.ts";
import { type DecideContext, type Deciding, withWarning } from "./decide_with_model.ts";

/** The decision in auto mode, which asks a model if the command line requests it. */
export async function modelDecision(
  asked: Decision,
  { evaluation, under }: Deciding,
): Promise<Decision> {
  const { policy, start, auto } = under;
  const mode = under.mode ?? start.options.mode;
  const isAbout = start.asksModel || asked.decision === "allow" || asked.decidedBy === "safety";
  const before = isAbout ? asked : withWarning(asked, NOT_ASKED);
  if (!start.asksModel) {
    return answerQuestions(deniedByList(before, await auto()), start.options);
  }
  const places = placesOf(evaluation, policy);
  const decided = await applyAutoMode(before, { auto: await auto(), places });
  const held = heldOpinion(decided, { asked, places, mode, under });
  return answerQuestions(held, start.options);
}

/** The decision with the opinion, which holds while the call asks the same questions in the same places. */
function heldOpinion(
  decided: Decision,
  { asked, places, mode, under: { policy, again } }: {
    readonly asked: Decision;
    readonly places: CallPlaces;
    readonly mode: Mode;
    readonly under: DecideContext;
  },
): Decision {
  if (decided.decision === "deny") return decided;
  const evaluation = again();
  const fresh = decideInMode(policy, evaluation, mode);
  const isSame = questionsIn(fresh, placesOf(evaluation, policy)) === questionsIn(asked, places);
  return isSame ? decided : withWarning(fresh, CHANGED);
}

const CHANGED =
  "the call's files, rules or mode changed while the model was asked, so its answer does not count";

const NOT_ASKED =
  "the mode is auto, but a model is consulted only with --permission-mode auto on the command line";
