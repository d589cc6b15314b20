import type { HookOutcome } from "./hooks/hook_outcome.ts";
import type { Action } from "../model/action.ts";
import type { AskHandler } from "../model/ask.ts";
import type { Json, ToolCall } from "../model/call.ts";
import type { DecidedBy, Decision } from "../model/decision.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { GateMode } from "./gate_mode.ts";
import type { SessionRule } from "./session_rules.ts";

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

/** What one stage did. */
export interface GateStep {
  /** The stage. */
  readonly stage: StageName;
  /** Which time the call went through from the start, from 1: a hook that changes the input begins another. */
  readonly round: number;
  /**
   * What stands after it; `passes`: it has no objection and no opinion; `changed`: the call begins anew; `failed`: it
   * threw, which is a deny.
   */
  readonly result: Action | "passes" | "changed" | "failed";
  /** Why, in one sentence without a final full stop; empty where there is nothing to say. */
  readonly reason: string;
  /** For `rules`: which policy it was; a decision goes by one from its beginning to its end. */
  readonly policyVersion?: number;
  /** For `decision`: who made it. */
  readonly decidedBy?: DecidedBy;
}

/** What happens to a call, and how it came about. */
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
  /** What a port or a tool threw, where that made the deny. */
  readonly cause?: unknown;
}

/** What may be said with a call. */
export interface CallOptions {
  /** Gives the call up: `decide` then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** The agent's own name for the call, for hooks. */
  readonly callId?: string;
}

/** What may be said with a call that ran. */
export interface AfterCallOptions extends CallOptions {
  /** What the tool answered. */
  readonly response?: Json;
}

/** A policy as it is handed in: compiled, or as `loadPolicy` gives it. */
export type GivenPolicy = Policy | { readonly policy: Policy };

/**
 * How a sub-agent's asks end. `inherit` and `bubble`: as the parent's do (`bubble` says whose they are). `inherit-allowlist`:
 * only what the rules allow runs, whatever the mode. `preapproved`: only calls that its own patterns cover, each also
 * judged like the parent's. `prompt`: its own handler is asked. `deny`: nobody is asked.
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

/** What a sub-agent is given. */
export interface ChildOptions {
  /** How its asks end; `bubble` when left out. */
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
  /** What people's “always” added, newest first. */
  readonly sessionRules: readonly SessionRule[];
  /**
   * Decides a call, stage by stage. Rejects with the signal's reason when it is aborted, and with TypeError for a call
   * without a tool's name or with a `cwd` that is no text; whatever else fails is a decision, and never an allow.
   */
  decide(call: ToolCall, options?: CallOptions): Promise<GateDecision>;
  /** To be told that a call ran: runs the PostToolUse hooks, and has auto mode forget what an edit may have changed. */
  afterCall(call: ToolCall, options?: AfterCallOptions): Promise<HookOutcome>;
  /** The gate of a sub-agent. Throws TypeError for options that do not fit together or a pattern that has an error. */
  child(options?: ChildOptions): ChildGate;
}

/** The gate that every tool call of an agent goes through. */
export interface Gate extends ChildGate {
  /**
   * Takes another policy for calls that begin from now on; those under way keep theirs. What people's “always” added
   * stays. Throws RangeError, and changes nothing, where a rule of theirs cannot be used with it.
   */
  setPolicy(policy: GivenPolicy): void;
  /** Ends the subscription to the mode. */
  close(): void;
}
