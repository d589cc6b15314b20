import type { AutoMode } from "../gate/auto/opinion.ts";
import { answerQuestions, applyMode } from "../decide/decide.ts";
import type { Decision } from "../model/decision.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Mode } from "../decide/modes/mode.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { Start } from "./start_mode.ts";

/** What a verdict is decided under. */
export interface Under {
  /** The policy that the verdict is of. */
  readonly policy: Policy;
  /** How the verb started. */
  readonly start: Start;
  /** Auto mode, where the line asks for it. */
  readonly auto: AutoMode | undefined;
  /** The mode of this one call, where it is not that of the start. */
  readonly mode?: Mode;
}

/** What happens to a call; a model is asked only where the line says so, and else that none was is a warning. */
export async function decideUnder(verdict: Verdict, under: Under): Promise<Decision> {
  const { policy, start, auto } = under;
  const mode = under.mode ?? start.options.mode;
  const asked = applyMode(policy, verdict, mode);
  const told = (message: string) => ({ ...asked, warnings: [...asked.warnings, message] });
  const isAllowing = asked.decision === "allow" && asked.decidedBy === "mode";
  if (isAllowing && start.isOfWorkspace && under.mode === undefined) {
    return told(`the mode ${mode.name}, which allows it, stands in the workspace (${start.from})`);
  }
  if (!mode.asksModel || asked.decision !== "ask" || asked.decidedBy === "safety") {
    return answerQuestions(asked, start.options);
  }
  if (!auto) return answerQuestions(told(NOT_ASKED), start.options);
  const { askAutoMode } = await import("../gate/auto/ask_auto_mode.ts");
  return answerQuestions(await askAutoMode(asked, { auto }), start.options);
}

const NOT_ASKED =
  "the mode is auto, but a model is asked only with --permission-mode auto on the command line";
