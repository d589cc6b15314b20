import type { HookOutcome } from "./hooks/hook_outcome.ts";
import type { Action, Json, ToolCall } from "../model/call.ts";
import type { AskHandler, DecidedBy, Decision } from "../model/verdict.ts";
import type { Policy } from "../decide/policy.ts";
import type { GateMode } from "./gate_parts.ts";
import type { SessionRule } from "./gate_state.ts";

/** The stages of a gate, in their order; `decision` is the end. */
export type StageName =
  | "input"
  | "tool-input"
  | "hooks"
  | "rules"
  | "tool-permissions"
  | "mode"
  | "classifier"
  | "ask"
  | "decision";

/** The record of one stage. */
export interface GateStep {
  /** The stage that answered. */
  readonly stage: StageName;
  /**
   * Which time the call went through from the start, from 1: a hook that changes the input begins another. After an answer the
   * same round goes on at `rules`.
   */
  readonly round: number;
  /**
   * The decision after it. `passes`: it has no objection and no opinion. `changed`: the call starts again. `failed`: it
   * threw, which is a deny.
   */
  readonly result: Action | "passes" | "changed" | "failed";
  /** Why, in one sentence without a final full stop; empty where there is nothing to say. */
  readonly reason: string;
  /** For `rules`: which policy it was; the last one decides. */
  readonly policyVersion?: number;
  /** For `decision`: who made it. */
  readonly decidedBy?: DecidedBy;
}

/** A decision, and how it came about. */
export interface GateDecision extends Decision {
  /**
   * The call that was decided, frozen; what is to be run. Hooks and the tool's schema may have changed its input, so the
   * one that was given in may be another.
   */
  readonly call: ToolCall;
  /** Every stage that ran, in order. */
  readonly trace: readonly GateStep[];
  /** Which policy decided: it counts up with every new policy and every rule that a person adds. */
  readonly policyVersion: number;
  /** The error of a port or a tool that made the deny. */
  readonly cause?: unknown;
}

/** Options of one call; all can be left out. */
export interface CallOptions {
  /** Gives the call up: `decide` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The agent's own name for the call, for hooks. */
  readonly callId?: string;
}

/** Options of a call that ran. */
export interface AfterCallOptions extends CallOptions {
  /** The tool's answer. */
  readonly response?: Json;
}

/**
 * The end of a sub-agent's asks. `inherit` and `bubble`: the parent's handler answers (`bubble` tells it who asks).
 * `inherit-allowlist`: only calls that the rules allow run, in any mode. `preapproved`: only calls that its own patterns
 * match run, if the parent's rules agree. `prompt`: its own handler answers. `deny`: no person is asked.
 */
export type ChildPolicy = typeof CHILD_POLICIES[number];

/** The ways in which a sub-agent's asks can end. */
export const CHILD_POLICIES = [
  "inherit",
  "bubble",
  "inherit-allowlist",
  "preapproved",
  "prompt",
  "deny",
] as const;

/** Options of a sub-agent. */
export interface ChildOptions {
  /** The end of its asks; `bubble` when left out. */
  readonly policy?: ChildPolicy;
  /** For `preapproved`: the patterns of calls that it may make at all. */
  readonly allow?: readonly string[];
  /** For `prompt`: who is asked. */
  readonly ask?: AskHandler;
  /** Its name, for questions and the audit log. */
  readonly name?: string;
}

/** The gate of a sub-agent: never looser than its parent's, and without a way to change policy or mode. */
export interface ChildGate {
  /** The mode in force. */
  readonly mode: GateMode;
  /** Which policy decides now. */
  readonly policyVersion: number;
  /** The rules of people's “always”, newest first. */
  readonly sessionRules: readonly SessionRule[];
  /**
   * Decides a call, stage by stage. Rejects with the signal's reason when it is aborted, and with TypeError for a call
   * without a tool's name or with a `cwd` that is no text. Any other failure is a decision, and never an allow.
   */
  decide(call: ToolCall, options?: CallOptions): Promise<GateDecision>;
  /** Reports that a call ran: runs the PostToolUse hooks, and ends what auto mode allowed unless the call only reads. */
  afterCall(call: ToolCall, options?: AfterCallOptions): Promise<HookOutcome>;
  /** The gate of a sub-agent. Throws TypeError for options that do not fit together or a pattern that has an error. */
  child(options?: ChildOptions): ChildGate;
}

/** The gate that every tool call of an agent goes through. */
export interface Gate extends ChildGate {
  /**
   * Takes another policy at once, for calls under way too: what is not decided yet is decided by it. What people's “always”
   * added stays. Throws RangeError, and changes nothing, where a rule of theirs cannot be used with it.
   */
  setPolicy(policy: Policy): void;
  /** Ends the subscription to the mode. */
  close(): void;
}
