import type { AutoMode } from "../auto/opinion.ts";
import type { HookRunner } from "../hooks/hook_outcome.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Opinion as AutoOpinion } from "../auto/opinion.ts";
import type { AskHandler, CallPlaces, DecidedBy, Decision } from "../../model/verdict.ts";
import type { Evaluation } from "../../decide/evaluate.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { Answers } from "../answers.ts";
import type { GateStep, StageName } from "../gate.ts";
import type { GateModeName, GateTool } from "../gate_parts.ts";
import type { Limits } from "../limits.ts";

/** The opinion of a hook or tool on the call as a whole. */
export interface Opinion {
  readonly decision: "allow" | "ask";
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** A call on its way through the stages. */
export interface CallState {
  /** The call as it now is; frozen. */
  readonly call: ToolCall;
  /** The fault of an input that is not a JSON object. */
  readonly fault?: string;
  /** Which time it goes through from the start, from 1. */
  readonly round: number;
  /** Warnings for a person, one sentence each. */
  readonly warnings: readonly string[];
  /** The hooks' opinion; an ask stays in every round, an allow holds for its input only. */
  readonly hooks?: Opinion;
  /** The tool's opinion. */
  readonly tool?: Opinion;
  /** Set if the tool was asked for its opinion. */
  readonly isToolAsked?: true;
  /** The evaluation by the rules. */
  readonly evaluation?: Evaluation;
  /** The places that the evaluation is about; set where it asks anything. */
  readonly places?: CallPlaces;
  /** The mode that the decision is made in, as it was read. */
  readonly mode?: GateModeName;
  /** The decision so far. */
  readonly decision?: Decision;
  /** For each unit of the decision, the question that it asks, in one text; undefined for one that does not ask. */
  readonly questions?: readonly (string | undefined)[];
  /** The answers that others gave: they hold for the questions that were asked, and for no others. */
  readonly answers?: GivenAnswers;
}

/** The answers to a call's questions. */
export interface GivenAnswers {
  /** The questions that a person answered with allow, and the units that were shown with them. */
  readonly allowed: ReadonlySet<string>;
  /** The number of questions to a person. */
  readonly asked: number;
  /** The opinion of auto mode, and the questions that it is about. */
  readonly opinion?: { readonly about: string; readonly opinion: AutoOpinion };
}

/** No answer yet. */
export const NO_ANSWERS: GivenAnswers = { allowed: new Set(), asked: 0 };

export type StageResult =
  | {
    /** It goes on to the next stage, or is decided where that is the last. */
    readonly kind: "next";
    readonly passing: CallState;
    readonly result: GateStep["result"];
    readonly reason: string;
  }
  | {
    /** It begins anew with another input. */
    readonly kind: "restart";
    readonly passing: CallState;
    readonly reason: string;
  }
  | {
    /** Somebody took time to answer: the rules are asked again, with the policy, the mode and the links of now. */
    readonly kind: "again";
    readonly passing: CallState;
    readonly result: GateStep["result"];
    readonly reason: string;
  }
  | {
    /** It is denied as a whole. */
    readonly kind: "denied";
    readonly passing: CallState;
    readonly by: DecidedBy;
    readonly reason: string;
  };

/** The context of a call, the same from one evaluation by the rules to the next. */
export interface GateContext {
  readonly policy: CompiledPolicy;
  /** Which one it is. */
  readonly policyVersion: number;
  /** The time now; undefined without a clock. */
  readonly now: () => number | undefined;
  /** The mode, as it is when it is asked. */
  readonly mode: () => GateModeName;
  /** The call's tool; undefined when nothing is known. */
  readonly tool: GateTool | undefined;
  readonly hooks: HookRunner | undefined;
  readonly classifier: AutoMode | undefined;
  /** The person. */
  readonly ask: AskHandler | undefined;
  /** The memory of answers. */
  readonly answers: Answers;
  /** The limits of a sub-agent. */
  readonly limits: Limits;
  /** True if there is no person to ask. */
  readonly headless: boolean;
  /** True if ordinary questions are answered with allow. */
  readonly autoAllow: boolean;
  /** The policy sets `enforce`: then `autoAllow` does not count. */
  readonly enforce: boolean;
  /** The agent's name for its session. */
  readonly session: string;
  /** The agent's name for the call. */
  readonly callId: string | undefined;
  /** Gives the call up. */
  readonly signal: AbortSignal | undefined;
}

/** One stage of the gate. */
export interface Stage {
  readonly name: StageName;
  /** True if the stage has anything to do with the call; it does not run otherwise. */
  concerns(passing: CallState, context: GateContext): boolean;
  /** Does it. What it throws is a deny. */
  run(passing: CallState, context: GateContext): StageResult | Promise<StageResult>;
}
