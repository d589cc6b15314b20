import { frozenJson } from "../gate/frozen_json.ts";
import { isJsonObject, isSameJson } from "../text/json_value.ts";
import type { Json } from "../model/call.ts";
import { type AdapterOptions, askGate, type DecidingGate, type GateAnswer } from "./ask_gate.ts";

/** The answers to an SDK that asks before a call, and again when the call is about to run. */
export interface DecidedCalls {
  /** True if a person must approve the call. Never rejects: failed and denied calls need approval too. */
  needsApproval(call: DecidedCall): Promise<boolean>;
  /**
   * Why the call does not run, approved or not; undefined when it does. A call that the gate asks about runs only where
   * `needsApproval` was asked about it. Never rejects.
   */
  refusal(call: DecidedCall): Promise<string | undefined>;
}

/** One call of a tool. */
export interface DecidedCall {
  /** The tool's name at the SDK. */
  readonly tool: string;
  readonly input: unknown;
  /** The SDK's name for the call. */
  readonly callId?: unknown;
  /** Gives it up. */
  readonly signal?: unknown;
}

/** More calls than this do not wait for approval at a time; the oldest is forgotten, and so decided anew. */
const MOST = 1_000;

interface Kept {
  readonly input: Json | undefined;
  readonly answer: GateAnswer;
}

/** Keeps a gate's decision on each call until it runs, so that nobody is asked twice. */
export function decidedCalls(gate: DecidingGate, options: AdapterOptions = {}): DecidedCalls {
  const known = new Map<string, Kept>();
  const decide = async (call: DecidedCall) => withoutChange(await askGate(gate, call, options));
  return {
    async needsApproval(given) {
      const call = copyOf(given);
      const key = keyOf(call);
      const { input } = call;
      const answer = await decide(call);
      if (key !== undefined) remember(known, key, { input, answer });
      return answer.decision !== "allow";
    },
    async refusal(given) {
      const call = copyOf(given);
      const key = keyOf(call);
      const kept = key === undefined ? undefined : known.get(key);
      const before = kept !== undefined && agrees(call.input, kept.input) ? kept.answer : undefined;
      if (before?.decision === "deny") return before.reason;
      if (before?.decision === "allow" && key !== undefined) {
        known.delete(key);
        return isGivenUp(call, options) ? "the call was cancelled" : undefined;
      }
      // Approved by a person, minutes or days later: a deny that came since then counts.
      const now = await decide(call);
      if (now.decision === "allow") return undefined;
      return now.decision === "ask" && before !== undefined ? undefined : now.reason;
    },
  };
}

/** These SDKs run the input that they have: one that a hook changed cannot be handed over. */
function withoutChange(answer: GateAnswer): GateAnswer {
  if (answer.decision !== "allow" || !answer.isChanged) return answer;
  const reason = "it is allowed only with a different input, which this SDK does not take";
  return { decision: "deny", reason };
}

function keyOf({ tool, callId }: DecidedCall): string | undefined {
  return typeof callId === "string" && callId !== "" ? JSON.stringify([tool, callId]) : undefined;
}

function remember(known: Map<string, Kept>, key: string, kept: Kept): void {
  known.delete(key);
  known.set(key, kept);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
}

/** The call with a copy of its input; undefined, which no gate allows, where that is no JSON or throws when it is read. */
function copyOf(call: DecidedCall): DecidedCall & { readonly input: Json | undefined } {
  try {
    return { ...call, input: frozenJson(call.input) };
  } catch {
    return { ...call, input: undefined };
  }
}

/** True if an input is the one that was decided, but for members that a schema filled in. */
function agrees(given: Json | undefined, kept: Json | undefined): boolean {
  if (!isJsonObject(given) || !isJsonObject(kept)) return false;
  return Object.entries(given).every(([key, value]) => {
    return Object.hasOwn(kept, key) && isSameJson(value, kept[key]!);
  });
}

function isGivenUp({ signal }: DecidedCall, options: AdapterOptions): boolean {
  return options.signal?.aborted === true || signal instanceof AbortSignal && signal.aborted;
}
