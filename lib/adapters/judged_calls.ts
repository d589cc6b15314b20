import { frozenJson } from "../gate/frozen_json.ts";
import { isObject, isSameJson } from "../text/same_json.ts";
import type { Json } from "../model/call.ts";
import { type AdapterOptions, askGate, type DecidingGate, type GateAnswer } from "./ask_gate.ts";

/** What an SDK that asks yes or no before a call, and again when it is about to run, is answered. */
export interface JudgedCalls {
  /** Whether a person must approve the call. Never rejects: what fails, and what is denied, needs approval too. */
  needsApproval(call: JudgedCall): Promise<boolean>;
  /**
   * Why the call does not run, approved or not; undefined when it does. A call that the gate asks about runs only where
   * `needsApproval` was asked about it. Never rejects.
   */
  refusal(call: JudgedCall): Promise<string | undefined>;
}

/** One call of a tool. */
export interface JudgedCall {
  /** The tool's name at the SDK. */
  readonly tool: string;
  /** Its input. */
  readonly input: unknown;
  /** The SDK's name for the call. */
  readonly callId?: unknown;
  /** Gives it up. */
  readonly signal?: unknown;
}

/** More calls than this do not wait for approval at a time; the oldest is forgotten, and so judged anew. */
const MOST = 1_000;

interface Judged {
  readonly input: Json | undefined;
  readonly answer: GateAnswer;
}

/** Keeps what a gate said about each call until it runs, so that nobody is asked twice. */
export function judgedCalls(gate: DecidingGate, options: AdapterOptions = {}): JudgedCalls {
  const known = new Map<string, Judged>();
  const judge = async (call: JudgedCall) => withoutChange(await askGate(gate, call, options));
  return {
    async needsApproval(given) {
      const call = copyOf(given);
      const key = keyOf(call);
      const { input } = call;
      const answer = await judge(call);
      if (key !== undefined) remember(known, key, { input, answer });
      return answer.decision !== "allow";
    },
    async refusal(given) {
      const call = copyOf(given);
      const key = keyOf(call);
      const judged = key === undefined ? undefined : known.get(key);
      const before = judged !== undefined && agrees(call.input, judged.input)
        ? judged.answer
        : undefined;
      if (before?.decision === "deny") return before.reason;
      if (before?.decision === "allow" && key !== undefined) {
        known.delete(key);
        return isGivenUp(call, options) ? "the call was given up" : undefined;
      }
      // Approved by a person, minutes or days later: a deny that came since then counts.
      const now = await judge(call);
      if (now.decision === "allow") return undefined;
      return now.decision === "ask" && before !== undefined ? undefined : now.reason;
    },
  };
}

/** These SDKs run the input that they have: one that a hook changed cannot be handed over. */
function withoutChange(answer: GateAnswer): GateAnswer {
  if (answer.decision !== "allow" || !answer.isChanged) return answer;
  const reason = "it is allowed with another input only, which this SDK does not take";
  return { decision: "deny", reason };
}

function keyOf({ tool, callId }: JudgedCall): string | undefined {
  return typeof callId === "string" && callId !== "" ? JSON.stringify([tool, callId]) : undefined;
}

function remember(known: Map<string, Judged>, key: string, judged: Judged): void {
  known.delete(key);
  known.set(key, judged);
  const [oldest] = known.keys();
  if (known.size > MOST && oldest !== undefined) known.delete(oldest);
}

/** The call with a copy of its input; undefined, which no gate allows, where that is no JSON or throws when it is read. */
function copyOf(call: JudgedCall): JudgedCall & { readonly input: Json | undefined } {
  try {
    return { ...call, input: frozenJson(call.input) };
  } catch {
    return { ...call, input: undefined };
  }
}

/** Whether an input is the one that was judged, but for members that a schema filled in there. */
function agrees(given: Json | undefined, judged: Json | undefined): boolean {
  if (!isObject(given) || !isObject(judged)) return false;
  return Object.entries(given).every(([key, value]) => {
    return Object.hasOwn(judged, key) && isSameJson(value, judged[key]!);
  });
}

function isGivenUp({ signal }: JudgedCall, options: AdapterOptions): boolean {
  return options.signal?.aborted === true || signal instanceof AbortSignal && signal.aborted;
}
