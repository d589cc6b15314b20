import type { AuditEntry } from "../audit/audit_entry.ts";
import { type Action, isAction } from "../model/action.ts";
import type { Json, JsonObject, ToolCall } from "../model/call.ts";

/** One call that somebody recorded. */
export interface RecordedCall {
  /** The call. */
  readonly call: ToolCall;
  /**
   * What kept it: an audit log (which leaves things out), calls as `check --stdin` takes them, an agent's hook events, or
   * a transcript of Claude Code.
   */
  readonly from: "audit" | "calls" | "event" | "transcript";
  /** What the rules said when it was recorded; audit logs only. */
  readonly verdict?: Action;
  /** Set where a person was asked and did not allow it; audit logs only. */
  readonly refused?: true;
}

/** What one line of a record holds. */
export type RecordedLine =
  /** Calls, at least one. */
  | { readonly kind: "calls"; readonly calls: readonly RecordedCall[] }
  /** No call, as most lines of a transcript. */
  | { readonly kind: "passed" }
  /** What cannot be read; why, as a clause for people. */
  | { readonly kind: "bad"; readonly detail: string };

/** Events before a call; those behind it would count it twice. */
const BEFORE: readonly string[] = ["PreToolUse", "BeforeTool"];

const PASSED: RecordedLine = { kind: "passed" };

/** Reads one line of a record, whatever wrote it: the form is told line by line. Never throws. */
export function readRecorded(value: JsonObject): RecordedLine {
  if (value.v !== undefined && value.decidedBy !== undefined) return fromAudit(value);
  if (value.type === "assistant" && isObject(value.message)) {
    return fromTranscript(value, value.message);
  }
  const { hook_event_name: event } = value;
  if (typeof event === "string") {
    return BEFORE.includes(event) ? lineOf(callOf(value), "event") : PASSED;
  }
  const isCall = ["tool", "tool_name"].some((name) => Object.hasOwn(value, name));
  if (isCall) return lineOf(callOf(value), "calls");
  return typeof value.type === "string" ? PASSED : bad('it has no "tool"');
}

function fromAudit(value: JsonObject): RecordedLine {
  if (value.v !== 1) return bad(`its audit log has a form that is not known (v = ${value.v})`);
  const { verdict, decision, decidedBy } = value as JsonObject & Partial<AuditEntry>;
  const call = callOf(value);
  if (typeof call === "string") return bad(call);
  if (typeof verdict !== "string" || !isAction(verdict)) return bad('its "verdict" is no action');
  const isRefused = decidedBy === "ask" && decision !== "allow";
  const recorded: RecordedCall = { call, from: "audit", verdict };
  return { kind: "calls", calls: [isRefused ? { ...recorded, refused: true } : recorded] };
}

function fromTranscript(value: JsonObject, message: JsonObject): RecordedLine {
  const { content } = message;
  if (!Array.isArray(content)) return PASSED;
  const calls: RecordedCall[] = [];
  for (const part of content as readonly Json[]) {
    if (!isObject(part) || part.type !== "tool_use") continue;
    const { cwd } = value;
    const named = { tool: part.name ?? null, input: part.input ?? null };
    const call = callOf(cwd === undefined || cwd === null ? named : { ...named, cwd });
    if (typeof call === "string") return bad(call);
    calls.push({ call, from: "transcript" });
  }
  return calls.length === 0 ? PASSED : { kind: "calls", calls };
}

function lineOf(call: ToolCall | string, from: RecordedCall["from"]): RecordedLine {
  return typeof call === "string" ? bad(call) : { kind: "calls", calls: [{ call, from }] };
}

/** The call of an object, or what is wrong with it. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, ["tool", "tool_name"]);
  const input = either(value, ["input", "tool_input"]);
  if (tool === TWICE || input === TWICE) return "the call is there twice, and differs";
  if (typeof tool !== "string" || tool === "") return 'its "tool" is missing or not a string';
  if (!isObject(input)) return 'its "input" is missing or not an object';
  const { cwd } = value;
  if (cwd !== undefined && (typeof cwd !== "string" || cwd === "")) {
    return 'its "cwd" is not a path';
  }
  return { tool, input, ...(cwd === undefined ? {} : { cwd }) };
}

const TWICE = Symbol("two spellings that differ");

function either(value: JsonObject, names: readonly string[]): Json | undefined | typeof TWICE {
  const [first, ...others] = names.filter((name) => Object.hasOwn(value, name));
  if (first === undefined) return undefined;
  const text = others.length === 0 ? "" : JSON.stringify(value[first]);
  return others.some((name) => JSON.stringify(value[name]) !== text) ? TWICE : value[first];
}

function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function bad(detail: string): RecordedLine {
  return { kind: "bad", detail };
}
