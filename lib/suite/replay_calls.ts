import type { AuditRecord } from "../audit/audit_record.ts";
import { MASK } from "../audit/mask_secrets.ts";
import { type Action, isAction, type Json, type JsonObject, type ToolCall } from "../model/call.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { isJsonObject } from "../text/json_value.ts";

/** One call that somebody recorded. */
export interface RecordedCall {
  readonly call: ToolCall;
  /**
   * The kind of record: an audit log (which leaves things out), calls as `check --stdin` reads them, an agent's hook
   * events, or a transcript of Claude Code.
   */
  readonly from: "audit" | "calls" | "event" | "transcript";
  /** The verdict when it was recorded; audit logs only. */
  readonly verdict?: Action;
  /** Set where a person was asked and did not allow it; audit logs only. */
  readonly refused?: true;
}

/** The contents of one line of a record. */
export type RecordedLine =
  /** Calls, at least one. */
  | { readonly kind: "calls"; readonly calls: readonly RecordedCall[] }
  /** A line without a call, like most lines of a transcript. */
  | { readonly kind: "passed" }
  /** An unreadable line; `detail` is a clause for people. */
  | { readonly kind: "bad"; readonly detail: string };

/** Events before a call; an event after it would count it twice. */
const BEFORE: readonly string[] = ["PreToolUse", "BeforeTool"];

const PASSED: RecordedLine = { kind: "passed" };

/** Reads one line of a record. Detects its format line by line. Never throws. */
export function readRecorded(value: JsonObject): RecordedLine {
  if (value.v !== undefined && value.decidedBy !== undefined) return fromAudit(value);
  if (value.type === "assistant" && isJsonObject(value.message)) {
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
  if (value.v !== 1) return bad(`the record has an unknown version (v = ${value.v})`);
  const { verdict, decision, decidedBy } = value as JsonObject & Partial<AuditRecord>;
  const call = callOf(value);
  if (typeof call === "string") return bad(call);
  if (typeof verdict !== "string" || !isAction(verdict)) {
    return bad('its "verdict" is not an action');
  }
  const isRefused = decidedBy === "ask" && decision !== "allow";
  const recorded: RecordedCall = { call, from: "audit", verdict };
  return { kind: "calls", calls: [isRefused ? { ...recorded, refused: true } : recorded] };
}

function fromTranscript(value: JsonObject, message: JsonObject): RecordedLine {
  const { content } = message;
  if (!Array.isArray(content)) return PASSED;
  const calls: RecordedCall[] = [];
  for (const part of content as readonly Json[]) {
    if (!isJsonObject(part) || part.type !== "tool_use") continue;
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

/** The call of an object, or the reason why it has none. */
function callOf(value: JsonObject): ToolCall | string {
  const tool = either(value, ["tool", "tool_name"]);
  const input = either(value, ["input", "tool_input"]);
  if (tool === TWICE || input === TWICE) return "the call is given twice, with different values";
  if (typeof tool !== "string" || tool === "") return 'its "tool" is missing or not a string';
  if (!isJsonObject(input)) return 'its "input" is missing or not an object';
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

function bad(detail: string): RecordedLine {
  return { kind: "bad", detail };
}

/** The mark in a log for text that was left out. */
const LEFT_OUT = /\[\d+ (?:character|line|item|member)s? left out\]/;

/**
 * True if the record holds the exact call, as far as the rules look at it. A log leaves out secrets and file contents,
 * which matters only if a rule of the policy looks at them.
 */
export function isExact({ call, from }: RecordedCall, policy: CompiledPolicy): boolean {
  if (from !== "audit") return true;
  if (isMarked(call.tool) || isMarked(call.cwd ?? "")) return false;
  const marked = Object.entries(call.input)
    .filter(([name, value]) => isMarked(name) || isMarked(value))
    .map(([name]) => name);
  if (marked.length === 0) return true;
  const { class: toolClass, firstArg, kind } = policy.profiles.get(call.tool);
  const isFileEdit = toolClass === "edit" && kind === "path" && firstArg !== undefined;
  if (!isFileEdit || marked.some((name) => name === "…" || firstArg.includes(name))) return false;
  return policy.toolRules(call.tool).every(({ specifier, also }) =>
    [specifier, also].every((each) => each?.kind !== "fields")
  );
}

function isMarked(value: Json): boolean {
  if (typeof value === "string") return value.includes(MASK) || LEFT_OUT.test(value);
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([name, each]) => isMarked(name) || isMarked(each));
}
