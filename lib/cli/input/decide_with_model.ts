import type { AutoMode } from "../../gate/auto/opinion.ts";
import { answerQuestions, decideInMode } from "../../decide/decide.ts";
import type { Decision } from "../../model/verdict.ts";
import type { Evaluation } from "../../decide/evaluate.ts";
import { isLeftToAgent } from "../../decide/left_to_agent.ts";
import { defaultMode, type Mode } from "../../decide/modes.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { ModeSettings } from "./start_mode.ts";

/** The context in which a verdict becomes a decision. */
export interface DecideContext {
  /** The policy that the verdict is of. */
  readonly policy: CompiledPolicy;
  /** The settings of the verb. */
  readonly start: ModeSettings;
  /** Auto mode, where the line asks for it. */
  readonly auto: AutoMode | undefined;
  /** The mode of this one call, where it is not that of the start. */
  readonly mode?: Mode;
}

/**
 * Decides a call; asks a model only if the command line requests it, and warns otherwise. Says so if hooks would leave the
 * call to the agent.
 */
export async function decideCall(evaluation: Evaluation, under: DecideContext): Promise<Decision> {
  const decision = await decideAsked(evaluation, under);
  const { policy } = under;
  if (decision.decision !== "ask" || policy.settings.unmatched?.value !== "agent") return decision;
  const plain = decideInMode(policy, evaluation, defaultMode);
  return isLeftToAgent(policy, evaluation, plain) ? { ...decision, leftToAgent: true } : decision;
}

async function decideAsked(evaluation: Evaluation, under: DecideContext): Promise<Decision> {
  const { policy, start, auto } = under;
  const mode = under.mode ?? start.options.mode;
  const asked = decideInMode(policy, evaluation, mode);
  const warned = (message: string) => ({ ...asked, warnings: [...asked.warnings, message] });
  const isAllowing = asked.decision === "allow" && asked.decidedBy === "mode";
  if (isAllowing && start.isOfWorkspace && under.mode === undefined) {
    return warned(
      `the mode ${mode.name}, which allows it, is set by the workspace (${start.from})`,
    );
  }
  if (!mode.asksModel || asked.decision !== "ask" || asked.decidedBy === "safety") {
    return answerQuestions(asked, start.options);
  }
  if (!auto) return answerQuestions(warned(NOT_ASKED), start.options);
  const { applyAutoMode } = await import("../../gate/auto/apply_auto_mode.ts");
  return answerQuestions(await applyAutoMode(asked, { auto }), start.options);
}

const NOT_ASKED =
  "the mode is auto, but a model is consulted only with --permission-mode auto on the command line";
