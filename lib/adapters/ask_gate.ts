import { abortable } from "../gate/abortable.ts";
import { frozenJson } from "../gate/frozen_json.ts";
import type { CallOptions } from "../gate/gate.ts";
import { isObject, isSameJson } from "../text/same_json.ts";
import type { JsonObject } from "../model/call.ts";

/** What of a gate, or of a sub-agent's, an adapter needs. */
export interface DecidingGate {
  /** Decides a call, as a gate does; whatever is no decision counts as a deny. */
  decide(
    call: { readonly tool: string; readonly input: object; readonly cwd?: string },
    options?: { readonly signal?: AbortSignal; readonly callId?: string },
  ): Promise<object>;
}

/** What an adapter may be told; all of it can be left out. */
export interface AdapterOptions {
  /** The absolute path of the folder that calls run in, where the SDK does not name it; else the policy's own. */
  readonly cwd?: string;
  /** Gives calls up, where the SDK has no signal of its own: what is given up is denied. */
  readonly signal?: AbortSignal;
  /** The name by which rules speak of a tool (`Bash` for the SDK's `shell`); the same name when left out. */
  readonly nameOf?: (tool: string) => string;
}

/** What a gate said about a call, in the three words that an SDK has something for. */
export type GateAnswer =
  | {
    /** It may run. */
    readonly decision: "allow";
    /** The input that was judged, frozen; what is to be run. */
    readonly input: JsonObject;
    /** Whether a hook or a schema changed it. */
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
  /** Its input. */
  readonly input: unknown;
  /** The folder it runs in, where the SDK names one. */
  readonly cwd?: unknown;
  /** The SDK's name for the call. */
  readonly callId?: unknown;
  /** Gives it up. */
  readonly signal?: unknown;
}

/**
 * What the gate says about a call of an SDK. Never rejects: what throws, is given up or has another shape than a decision
 * is denied.
 */
export async function askGate(
  gate: DecidingGate,
  call: GivenCall,
  options: AdapterOptions = {},
): Promise<GateAnswer> {
  const signal = isSignal(call.signal) ? call.signal : options.signal;
  try {
    const given = frozenJson(call.input);
    if (!isObject(given)) return { decision: "deny", reason: "the input is no JSON object" };
    const { tool } = call;
    if (typeof tool !== "string" || tool === "") {
      return { decision: "deny", reason: "the call has no tool name" };
    }
    const cwd = call.cwd ?? options.cwd;
    if (cwd !== undefined && typeof cwd !== "string") {
      return { decision: "deny", reason: "the folder of the call is no text" };
    }
    const named = {
      tool: options.nameOf?.(tool) ?? tool,
      input: given,
      ...(cwd === undefined ? {} : { cwd }),
    };
    const told: CallOptions = {
      ...(signal === undefined ? {} : { signal }),
      ...(typeof call.callId === "string" ? { callId: call.callId } : {}),
    };
    return answerOf(await abortable(signal, () => gate.decide(named, told)), given);
  } catch (error) {
    if (signal?.aborted) return { decision: "deny", reason: "the call was given up" };
    return { decision: "deny", reason: `the call cannot be decided: ${messageOf(error)}` };
  }
}

/** The answer in what a gate gave, which a gate of somebody else's making may have spoilt. */
function answerOf(decided: unknown, given: JsonObject): GateAnswer {
  if (!isObject(decided)) return { decision: "deny", reason: "the gate gave no decision" };
  const { decision, reason, call } = decided;
  const why = typeof reason === "string" && reason !== "" ? reason : "the gate gave no reason";
  if (decision !== "allow") {
    return { decision: decision === "ask" ? "ask" : "deny", reason: why };
  }
  const input = isObject(call) ? frozenJson(call.input) : undefined;
  if (!isObject(input)) {
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
