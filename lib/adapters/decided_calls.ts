import type { InputSchema } from "../gate/gate_parts.ts";
import { frozenJson } from "../gate/frozen_json.ts";
import { isJsonObject, isSameJson } from "../text/json_value.ts";
import type { Json, JsonObject } from "../model/call.ts";
import { type AdapterOptions, askGate, type DecidingGate, type GateAnswer } from "./ask_gate.ts";

/** The answers to an SDK that asks before a call, and again when the call is about to run. */
export interface DecidedCalls {
  /** True if a person must approve the call. Never rejects: failed and denied calls need approval too. */
  needsApproval(call: DecidedCall, options?: ApprovalOptions): Promise<boolean>;
  /**
   * The input that runs, or why none does, approved or not. A call that the gate asks about runs only where `needsApproval`
   * was asked about this input. Never rejects.
   */
  admit(call: DecidedCall): Promise<Admission>;
}

/** The end of a call. */
export type Admission =
  /** It runs with this input, which is the one that was decided; frozen. */
  | { readonly runs: true; readonly input: JsonObject }
  /** It does not run; `reason` is one sentence without a final full stop. */
  | { readonly runs: false; readonly reason: string };

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

/** Options of `needsApproval`. */
export interface ApprovalOptions {
  /**
   * `new`: the call is put to a person now. `approved`: a person has approved a call of that name before. `unknown` when left
   * out: then the input that was first asked about under a name is the one that was shown.
   */
  readonly state?: "new" | "approved" | "unknown";
}

/** Options of `decidedCalls`. */
export interface DecidedCallsOptions extends AdapterOptions {
  /** The tool's schema: what it adds to an input is part of the call. */
  readonly schema?: InputSchema | undefined;
  /** The calls that wait, where several adapters of a gate share them; a map of its own when left out. */
  readonly waiting?: WaitingCalls;
}

/** Calls that wait for approval, or to run. */
export type WaitingCalls = Map<string, Kept>;

/** More calls than this do not wait for approval at a time; the oldest is forgotten, and so decided anew. */
const MOST = 1_000;

interface Kept {
  readonly input: Json | undefined;
  readonly answer: GateAnswer;
}

/** Why a call does not run although a person approved one of its name. */
export const OTHER_INPUT = "the approval is for another input than this one";

/** Keeps a gate's decision on each call until it runs, so that no person is asked twice. */
export function decidedCalls(gate: DecidingGate, options: DecidedCallsOptions = {}): DecidedCalls {
  const { waiting: known = new Map<string, Kept>() } = options;
  const decide = async (call: DecidedCall) => withoutChange(await askGate(gate, call, options));
  return {
    async needsApproval(given, { state = "unknown" } = {}) {
      const call = copyOf(given);
      const key = keyOf(call, options);
      const { input } = call;
      const answer = await decide(call);
      const before = key === undefined ? undefined : known.get(key);
      // An approval that the SDK has by now is for what was asked about, and must not become one for another input.
      const isBound = state === "approved" ||
        state === "unknown" && before?.answer.decision === "ask";
      const mayKeep = !isBound || answer.decision === "deny" || isSame(before?.input, input);
      if (key !== undefined && mayKeep) remember(known, key, { input, answer });
      else if (key !== undefined && before === undefined) {
        remember(known, key, { input: undefined, answer });
      }
      return answer.decision !== "allow";
    },
    async admit(given) {
      const call = await wholeOf(copyOf(given), options);
      if (!isJsonObject(call.input)) return { runs: false, reason: NO_INPUT };
      const { input } = call;
      const key = keyOf(call, options);
      const kept = key === undefined ? undefined : known.get(key);
      const before = isSame(kept?.input, input) ? kept?.answer : undefined;
      if (before?.decision === "deny") return { runs: false, reason: before.reason };
      if (before?.decision === "allow" && key !== undefined) {
        known.delete(key);
        return isGivenUp(call, options)
          ? { runs: false, reason: "the call was cancelled" }
          : { runs: true, input: before.input };
      }
      // Approved by a person, minutes or days later: a deny that came since then counts.
      const now = await decide(call);
      if (now.decision === "allow") return { runs: true, input: now.input };
      if (now.decision === "ask" && before !== undefined) return { runs: true, input };
      const isOther = now.decision === "ask" && kept !== undefined;
      return { runs: false, reason: isOther ? `${OTHER_INPUT}; ${now.reason}` : now.reason };
    },
  };
}

const NO_INPUT = "the input is not a JSON object";

/** These SDKs run the input that they have: one that a hook changed cannot be handed over. */
function withoutChange(answer: GateAnswer): GateAnswer {
  if (answer.decision !== "allow" || !answer.isChanged) return answer;
  const reason = "it is allowed only with a different input, which this SDK does not take";
  return { decision: "deny", reason };
}

function keyOf({ tool, callId }: DecidedCall, { cwd }: AdapterOptions): string | undefined {
  if (typeof callId !== "string" || callId === "") return undefined;
  return JSON.stringify([tool, callId, cwd ?? null]);
}

function remember(known: Map<string, Kept>, key: string, kept: Kept): void {
  known.delete(key);
  known.set(key, kept);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
}

type CopiedCall = DecidedCall & { readonly input: Json | undefined };

/** The call with a copy of its input; undefined, which no gate allows, where that is no JSON or throws when it is read. */
function copyOf(call: DecidedCall): CopiedCall {
  return { ...call, input: jsonOf(call.input) };
}

/** A frozen copy of an input that reads each property once; undefined if it is not JSON or a getter throws. */
export function jsonOf(input: unknown): Json | undefined {
  try {
    return frozenJson(input);
  } catch {
    return undefined;
  }
}

/** The call with all that the tool's schema adds to its input; without an input where the schema refuses it. */
async function wholeOf(call: CopiedCall, { schema }: DecidedCallsOptions): Promise<CopiedCall> {
  if (schema === undefined || call.input === undefined) return call;
  try {
    const parsed = await schema.safeParse(structuredClone(call.input));
    return { ...call, input: parsed.success === true ? jsonOf(parsed.data) : undefined };
  } catch {
    // A schema that fails takes no input.
    return { ...call, input: undefined };
  }
}

/** True if two inputs are one JSON object, member by member. */
export function isSame(one: Json | undefined, other: Json | undefined): boolean {
  return isJsonObject(one) && isJsonObject(other) && isSameJson(one, other);
}

function isGivenUp({ signal }: DecidedCall, options: AdapterOptions): boolean {
  return options.signal?.aborted === true || signal instanceof AbortSignal && signal.aborted;
}
