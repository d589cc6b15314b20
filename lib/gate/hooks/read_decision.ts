import type { Json, JsonObject } from "../../model/call.ts";
import { isJsonObject } from "../../text/json_value.ts";
import type { HookDecision } from "./hook_outcome.ts";

/** The decision in a hook's JSON. */
export interface HookJson {
  /** The strictest of its decisions. */
  readonly decision: HookDecision;
  readonly reason?: string;
  /** The input that it wants instead; never with a deny or a fault. */
  readonly updatedInput?: JsonObject;
  /** The unreadable parts, without a final full stop; with any, the decision is at least `ask`. */
  readonly faults: readonly string[];
}

/** The words of `permissionDecision`, and of the older `decision` beside them. */
const WORDS: ReadonlyMap<Json, HookDecision> = new Map<Json, HookDecision>([
  ["allow", "allow"],
  ["approve", "allow"],
  ["ask", "ask"],
  ["deny", "deny"],
  ["block", "deny"],
]);

/** From no opinion to the strictest. */
const STRICTNESS: readonly HookDecision[] = ["proceed", "allow", "ask", "deny"];

/** True if the first decision is stricter than the second. */
export function isStricter(one: HookDecision, other: HookDecision): boolean {
  return STRICTNESS.indexOf(one) > STRICTNESS.indexOf(other);
}

/** One of the decisions in the object, with its reason. */
interface Voice {
  readonly decision: HookDecision;
  readonly reason?: Json | undefined;
}

/**
 * Reads the decision from an object that a hook printed: `hookSpecificOutput.permissionDecision`, the same key or the older
 * `decision` (`approve`, `block`) at the top, and `continue: false`, which stops the agent. The strictest of them counts. A
 * null member counts as absent.
 */
export function readDecision(output: JsonObject, event: string): HookJson {
  const faults: string[] = [];
  const own = objectIn(output, { key: "hookSpecificOutput", faults }) ?? {};
  const named = member(own, "hookEventName");
  if (named !== undefined && named !== event) faults.push(`it is for another event than ${event}`);
  const voices = [
    voiceOf(own, { key: "permissionDecision", reason: "permissionDecisionReason", faults }),
    voiceOf(output, { key: "permissionDecision", reason: "permissionDecisionReason", faults }),
    voiceOf(output, { key: "decision", reason: "reason", faults }),
    stopOf(output),
  ];
  const updatedInput = objectIn(own, { key: "updatedInput", faults });
  if (faults.length > 0) voices.push({ decision: "ask" });
  const { decision, reason } = voices.reduce<Voice>(
    (one, other) => other !== undefined && isStricter(other.decision, one.decision) ? other : one,
    { decision: "proceed" },
  );
  const isUsable = decision !== "deny" && faults.length === 0;
  return {
    decision,
    ...(typeof reason === "string" && reason.trim() !== "" ? { reason: reason.trim() } : {}),
    ...(updatedInput !== undefined && isUsable ? { updatedInput } : {}),
    faults,
  };
}

function voiceOf(
  object: JsonObject,
  { key, reason, faults }: {
    readonly key: string;
    readonly reason: string;
    readonly faults: string[];
  },
): Voice | undefined {
  const word = member(object, key);
  if (word === undefined) return undefined;
  const decision = WORDS.get(word);
  if (decision !== undefined) return { decision, reason: member(object, reason) };
  faults.push(`"${key}" is not allow, deny or ask`);
  return undefined;
}

function stopOf(output: JsonObject): Voice | undefined {
  if (member(output, "continue") !== false) return undefined;
  return { decision: "deny", reason: member(output, "stopReason") };
}

function objectIn(
  object: JsonObject,
  { key, faults }: { readonly key: string; readonly faults: string[] },
): JsonObject | undefined {
  const value = member(object, key);
  if (value === undefined || isJsonObject(value)) return value;
  faults.push(`"${key}" is not an object`);
  return undefined;
}

function member(object: JsonObject, key: string): Json | undefined {
  return Object.hasOwn(object, key) ? object[key] ?? undefined : undefined;
}
