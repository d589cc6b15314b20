import { abortable } from "../gate/abortable.ts";
import { frozenJson } from "../gate/frozen_json.ts";
import type { CallOptions } from "../gate/gate.ts";
import { isJsonObject, isSameJson } from "../text/json_value.ts";
import type { JsonObject } from "../model/call.ts";

/** The part of a gate that an adapter needs; a sub-agent's has it too. */
export interface DecidingGate {
  /** Decides a call, as a gate does. Any value but a decision counts as a deny. */
  decide(
    call: { readonly tool: string; readonly input: object; readonly cwd?: string },
    options?: { readonly signal?: AbortSignal; readonly callId?: string },
  ): Promise<object>;
}

/** Options that every adapter takes; all can be left out. */
export interface AdapterOptions {
  /** The absolute path of the folder that calls run in, where the SDK does not name it; else the policy's own. */
  readonly cwd?: string;
  /** Gives calls up, where the SDK has no signal of its own: what is given up is denied. */
  readonly signal?: AbortSignal;
  /** The name by which rules speak of a tool (`Bash` for the SDK's `shell`); the same name when left out. */
  readonly nameOf?: (tool: string) => string;
}

/** A gate's decision, in the terms of an SDK. */
export type GateAnswer =
  | {
    /** It may run. */
    readonly decision: "allow";
    /** The input that was decided, frozen; run this one. */
    readonly input: JsonObject;
    /** True if a hook or a schema changed it. */
    readonly isChanged: boolean;
  }
  | {
    /** It may not run; or a person must say so first, and the gate knows of none. */
    readonly decision: "deny" | "ask";
    /** Why, in one sentence without a final full stop. */
    readonly reason: string;
  };

/** A call as an SDK hands it over: nothing about it is certain. */
export interface GivenCall {
  /** The tool's name at the SDK. */
  readonly tool: unknown;
  readonly input: unknown;
  /** The folder it runs in, where the SDK names one. */
  readonly cwd?: unknown;
  /** The SDK's name for the call. */
  readonly callId?: unknown;
  /** Gives it up. */
  readonly signal?: unknown;
}

/**
 * The gate's decision on a call of an SDK. Never rejects: errors, aborted calls and malformed decisions are denials.
 */
export async function askGate(
  gate: DecidingGate,
  call: GivenCall,
  options: AdapterOptions = {},
): Promise<GateAnswer> {
  const signal = isSignal(call.signal) ? call.signal : options.signal;
  try {
    const given = frozenJson(call.input);
    if (!isJsonObject(given)) return { decision: "deny", reason: "the input is not a JSON object" };
    const { tool } = call;
    if (typeof tool !== "string" || tool === "") {
      return { decision: "deny", reason: "the call has no tool name" };
    }
    const cwd = call.cwd ?? options.cwd;
    if (cwd !== undefined && typeof cwd !== "string") {
      return { decision: "deny", reason: "the folder of the call is not a string" };
    }
    const named = {
      tool: options.nameOf?.(tool) ?? tool,
      input: given,
      ...(cwd === undefined ? {} : { cwd }),
    };
    const callOptions: CallOptions = {
      ...(signal === undefined ? {} : { signal }),
      ...(typeof call.callId === "string" ? { callId: call.callId } : {}),
    };
    return answerOf(await abortable(signal, () => gate.decide(named, callOptions)), given);
  } catch (error) {
    if (signal?.aborted) return { decision: "deny", reason: "the call was cancelled" };
    return { decision: "deny", reason: `the call cannot be decided: ${messageOf(error)}` };
  }
}

/** The answer in what a gate gave, which a gate of somebody else's making may have spoilt. */
function answerOf(decided: unknown, given: JsonObject): GateAnswer {
  if (!isJsonObject(decided)) return { decision: "deny", reason: "the gate gave no decision" };
  const { decision, reason, call } = decided;
  const why = typeof reason === "string" && reason !== "" ? reason : "the gate gave no reason";
  if (decision !== "allow") {
    return { decision: decision === "ask" ? "ask" : "deny", reason: why };
  }
  const input = isJsonObject(call) ? frozenJson(call.input) : undefined;
  if (!isJsonObject(input)) {
    return { decision: "deny", reason: "the gate did not say which call it allows" };
  }
  return { decision: "allow", input, isChanged: !isSameJson(input, given) };
}

function isSignal(value: unknown): value is AbortSignal {
  return value instanceof AbortSignal;
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
