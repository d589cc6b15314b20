import type { AutoMode } from "../auto/opinion.ts";
import type { HookRunner } from "../hooks/hook_outcome.ts";
import type { AskHandler } from "../../model/ask.ts";
import type { ToolCall } from "../../model/call.ts";
import type { DecidedBy, Decision } from "../../model/decision.ts";
import type { Verdict } from "../../model/verdict.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import type { Answers } from "../answers.ts";
import type { GateStep, StageName } from "../gate.ts";
import type { GateModeName } from "../gate_mode.ts";
import type { GateTool } from "../gate_tool.ts";
import type { Limits } from "../limits.ts";

/** What somebody else than the rules says about the call as a whole. */
export interface Opinion {
  /** What. */
  readonly decision: "allow" | "ask";
  /** Why, in one sentence without a final full stop. */
  readonly reason: string;
}

/** A call on its way through the stages. */
export interface Passing {
  /** The call as it now is; frozen. */
  readonly call: ToolCall;
  /** What is wrong with the input as it was given, where it is no JSON object. */
  readonly fault?: string;
  /** Which time it goes through from the start, from 1. */
  readonly round: number;
  /** What a person should know, one sentence each. */
  readonly warnings: readonly string[];
  /** What hooks say; an ask stays in every round, an allow holds for the input that it was said about. */
  readonly hooks?: Opinion;
  /** What the tool says. */
  readonly tool?: Opinion;
  /** What the rules say. */
  readonly verdict?: Verdict;
  /** What happens, as far as it is known. */
  readonly decision?: Decision;
}

/** What a stage makes of a call. */
export type StageResult =
  | {
    /** It goes on to the next stage, or is decided where that is the last. */
    readonly kind: "goes-on";
    readonly passing: Passing;
    readonly result: GateStep["result"];
    readonly reason: string;
  }
  | {
    /** It begins anew with another input. */
    readonly kind: "begins-anew";
    readonly passing: Passing;
    readonly reason: string;
  }
  | {
    /** The mode has changed: it is asked again. */
    readonly kind: "asks-mode-again";
    readonly passing: Passing;
    readonly reason: string;
  }
  | {
    /** It is denied as a whole. */
    readonly kind: "denied";
    readonly passing: Passing;
    readonly by: DecidedBy;
    readonly reason: string;
  };

/** What stages go by; the same from the beginning of a call to its end. */
export interface Scene {
  /** The policy. */
  readonly policy: Policy;
  /** Which one it is. */
  readonly policyVersion: number;
  /** The time now; undefined where nobody knows. */
  readonly now: () => number | undefined;
  /** The mode, as it is when it is asked. */
  readonly mode: () => GateModeName;
  /** The call's tool; undefined when nothing is known. */
  readonly tool: GateTool | undefined;
  /** The hooks. */
  readonly hooks: HookRunner | undefined;
  /** Auto mode. */
  readonly classifier: AutoMode | undefined;
  /** Who is asked. */
  readonly ask: AskHandler | undefined;
  /** What becomes of answers. */
  readonly answers: Answers;
  /** What a sub-agent may not. */
  readonly limits: Limits;
  /** Nobody can be asked. */
  readonly headless: boolean;
  /** Ordinary questions are answered with allow. */
  readonly autoAllow: boolean;
  /** The agent's name for its session. */
  readonly session: string;
  /** The agent's name for the call. */
  readonly callId: string | undefined;
  /** Gives the call up. */
  readonly signal: AbortSignal | undefined;
}

/** One stage of the gate. */
export interface Stage {
  /** Its name. */
  readonly name: StageName;
  /** Whether it has anything to do with the call; it does not run otherwise. */
  concerns(passing: Passing, scene: Scene): boolean;
  /** Does it. What it throws is a deny. */
  run(passing: Passing, scene: Scene): StageResult | Promise<StageResult>;
}
