import type { AutoMode } from "../../gate/auto/opinion.ts";
import { answerQuestions, decideInMode } from "../../decide/decide.ts";
import type { Decision } from "../../model/verdict.ts";
import type { Evaluation } from "../../decide/evaluate.ts";
import { defaultMode, type Mode } from "../../decide/modes.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { Invocation } from "../args/verb.ts";
import type { ModeSettings } from "./start_mode.ts";

/** The context in which a verdict becomes a decision. */
export interface DecideContext {
  /** The policy that the verdict is of. */
  readonly policy: CompiledPolicy;
  /** The settings of the verb. */
  readonly start: ModeSettings;
  /** Returns auto mode, loaded when a call is first left to it. */
  readonly auto: () => Promise<AutoMode>;
  /** Evaluates the call again, after a model took its time. */
  readonly again: () => Evaluation;
  /** The mode of this one call, where it is not that of the start. */
  readonly mode?: Mode | undefined;
}

/**
 * Returns a function that loads auto mode when it is first called, and has done so where the start mode is `auto`: then a
 * fault in its files is an error for every call.
 */
export async function autoModeFor(
  policy: LoadedPolicy,
  { invocation, runtime, start }: {
    readonly invocation: Invocation;
    readonly runtime: Runtime;
    readonly start: ModeSettings;
  },
): Promise<DecideContext["auto"]> {
  let auto: Promise<AutoMode> | undefined;
  const load = () =>
    auto ??= import("./open_auto_mode.ts").then(({ openAutoModeFor }) =>
      openAutoModeFor(policy, { invocation, runtime, isAsked: start.asksModel })
    );
  if (start.options.mode.asksModel) await load();
  return load;
}

/**
 * Decides a call; asks a model only if the command line requests it, and else warns and goes by the list of denials alone. Says
 * so if hooks would leave the call to the agent. A promise only where something has to be waited for.
 */
export function decideCall(
  evaluation: Evaluation,
  under: DecideContext,
): Decision | Promise<Decision> {
  const decision = decideAsked(evaluation, under);
  return decision instanceof Promise
    ? decision.then((decided) => withAgent(decided, { evaluation, under }))
    : withAgent(decision, { evaluation, under });
}

/** A call that is decided. */
export interface Deciding {
  readonly evaluation: Evaluation;
  readonly under: DecideContext;
}

/** A decision that says if hooks would leave the call to the agent. */
function withAgent(decision: Decision, deciding: Deciding): Decision | Promise<Decision> {
  const { unmatched } = deciding.under.policy.settings;
  return decision.decision !== "ask" || unmatched?.value !== "agent"
    ? decision
    : leftToAgent(decision, deciding);
}

async function leftToAgent(
  decision: Decision,
  { evaluation, under: { policy } }: Deciding,
): Promise<Decision> {
  const { isLeftToAgent } = await import("../../decide/left_to_agent.ts");
  const plain = decideInMode(policy, evaluation, defaultMode);
  return isLeftToAgent(policy, evaluation, plain) ? { ...decision, leftToAgent: true } : decision;
}

function decideAsked(evaluation: Evaluation, under: DecideContext): Decision | Promise<Decision> {
  const { policy, start } = under;
  const mode = under.mode ?? start.options.mode;
  const asked = decideInMode(policy, evaluation, mode);
  const isAllowing = asked.decision === "allow" && asked.decidedBy === "mode";
  if (isAllowing && start.isOfWorkspace && under.mode === undefined) {
    return withWarning(
      asked,
      `the mode ${mode.name}, which allows it, is set by the workspace (${start.from})`,
    );
  }
  return mode.asksModel && asked.decision !== "deny"
    ? decideByModel(asked, { evaluation, under })
    : answerQuestions(asked, start.options);
}

/** The decision with a warning more. */
export function withWarning(decision: Decision, message: string): Decision {
  return { ...decision, warnings: [...decision.warnings, message] };
}

async function decideByModel(asked: Decision, deciding: Deciding): Promise<Decision> {
  const { modelDecision } = await import("./model_decision.ts");
  return await modelDecision(asked, deciding);
}

/** A headless denial with the flags that would allow the call, if there are any. */
export async function headlessWays(
  evaluation: Evaluation,
  { policy, now, mode, decided }: {
    readonly policy: CompiledPolicy;
    readonly now: number;
    readonly mode: Mode;
    readonly decided: Decision;
  },
): Promise<{ readonly decision: Decision; readonly ways?: string | undefined }> {
  const { waysText, waysToAllow, withWays } = await import("../../suggest/ways_to_allow.ts");
  const ways = waysText(waysToAllow(policy, evaluation, { mode, now }), "flags");
  return { decision: withWays(decided, ways), ways };
}
