import type { Json } from "../model/call.ts";
import { isJsonObject } from "../text/json_value.ts";
import type { DecidingGate } from "./ask_gate.ts";
import { isSame } from "./decided_calls.ts";

/** The inputs that people were asked about, by tool and name of the call. */
export interface ShownInputs {
  /**
   * Keeps the input of a question. False for one that a person approved before and that is not the input that was asked
   * about under its name.
   */
  keep(call: ShownCall, state: "new" | "approved"): boolean;
}

/** A call that a person is asked about. */
interface ShownCall {
  readonly tool: unknown;
  readonly callId: unknown;
  readonly input: Json | undefined;
}

/** More inputs than this are not kept; the oldest is forgotten, and its approval does not count. */
const MOST = 1_000;

const SHOWN = new WeakMap<DecidingGate, ShownInputs>();

/** The inputs that were shown for a gate: adapters that are made anew for each request share them. */
export function shownInputs(gate: DecidingGate): ShownInputs {
  const known = SHOWN.get(gate);
  if (known !== undefined) return known;
  const inputs = new Map<string, Json>();
  const made: ShownInputs = {
    keep({ tool, callId, input }, state) {
      const key = JSON.stringify([tool, callId]);
      if (typeof callId !== "string" || input === undefined) return state === "new";
      if (state === "approved") return isSame(inputs.get(key), input);
      inputs.delete(key);
      inputs.set(key, input);
      const [oldest] = inputs.keys();
      if (inputs.size > MOST && oldest !== undefined) inputs.delete(oldest);
      return true;
    },
  };
  SHOWN.set(gate, made);
  return made;
}

/** True if the last of the messages says that a person approved the call of that name. */
export function isApproved(messages: unknown, callId: unknown): boolean {
  if (!Array.isArray(messages)) return false;
  const approved = new Set(
    partsOf(messages.at(-1)).flatMap(({ type, approvalId, approved }) =>
      type === "tool-approval-response" && approved !== false ? [approvalId] : []
    ),
  );
  return approved.size > 0 &&
    messages.some((message) =>
      partsOf(message).some(({ type, approvalId, toolCallId }) =>
        type === "tool-approval-request" && toolCallId === callId && approved.has(approvalId)
      )
    );
}

/** The parts of a message of the AI SDK. */
function partsOf(message: unknown): readonly Readonly<Record<string, unknown>>[] {
  const content = isJsonObject(message) ? message.content : undefined;
  return Array.isArray(content) ? content.filter(isJsonObject) : [];
}
