import {
  type Action,
  ACTIONS,
  type JsonObject,
  type SourceKind,
  type ToolCall,
} from "../model/call.ts";
import type { DecidedBy, Decision, UnitDecision } from "../model/verdict.ts";
import type { Rule } from "../model/rule.ts";
import { formatInstant } from "../text/instant.ts";
import { printedJson } from "../text/printed_json.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import { type CallCleaner, callCleaner } from "./call_secrets.ts";
import { type Bounds, keptInput, keptText } from "./keep_input.ts";

/** The circumstances of a decision. */
export interface AuditMeta {
  /** The time of the decision, in ms since 1970-01-01T00:00Z. */
  readonly time: number;
  /** The directory that the call would run in. */
  readonly cwd: string;
  /** The agent's name for its session. */
  readonly session?: string;
  /** The agent: `claude`, or the name of a sub-agent. */
  readonly agent?: string;
}

/** A rule in the audit log. */
export interface AuditRule {
  /** Its pattern as written. */
  readonly pattern: string;
  readonly action: Action;
  readonly source: SourceKind;
  /** The file, or the flag. */
  readonly path: string;
  /** Line, from 1. */
  readonly line: number;
}

/** A unit in the audit log. */
export interface AuditUnit {
  /** The unit as text. */
  readonly text: string;
  readonly kind: UnitDecision["kind"];
  /** The tool whose rules were evaluated. */
  readonly tool: string;
  /** The verdict of the rules. */
  readonly verdict: Action;
  readonly decision: Action;
  /** The rule that decided; null if none matches. */
  readonly rule: AuditRule | null;
}

/** One decision in the audit log: without file contents, secrets masked, bounded. */
export interface AuditRecord {
  /** The version of the form. */
  readonly v: 1;
  /** The time, as RFC 3339 in UTC. */
  readonly time: string;
  /** The agent's name for its session. */
  readonly session?: string;
  readonly agent?: string;
  /** The directory of the call. */
  readonly cwd: string;
  readonly tool: string;
  /** The input, cut and masked. */
  readonly input: JsonObject;
  /** The verdict of the rules. */
  readonly verdict: Action;
  readonly decision: Action;
  /** The mode, or `disabled`. */
  readonly mode: Decision["mode"];
  /** The decider. */
  readonly decidedBy: DecidedBy;
  /** The rule that decided; null if none matches. */
  readonly rule: AuditRule | null;
  /** The reason, in one sentence. */
  readonly reason: string;
  /** The units, strictest decision first, in the order of the call among equals. */
  readonly units: readonly AuditUnit[];
  /** The number of units left out; absent if none is. */
  readonly moreUnits?: number;
}

/** The limits of an entry. */
export interface RecordBounds extends Bounds, CallCleaner {
  readonly units: number;
}

/** The audit entry of a decision. Throws RangeError for a time outside of the years 0 to 9999. */
export function auditRecord(
  decision: Decision,
  call: ToolCall,
  { meta, bounds }: { readonly meta: AuditMeta; readonly bounds: RecordBounds },
): AuditRecord {
  const kept = (text: string) => keptText(text, bounds);
  const units = strictestFirst(decision.units);
  const shown = units.slice(0, bounds.units);
  return {
    v: 1,
    time: formatInstant(meta.time),
    ...(meta.session === undefined ? {} : { session: kept(meta.session) }),
    ...(meta.agent === undefined ? {} : { agent: kept(meta.agent) }),
    cwd: kept(meta.cwd),
    tool: keptTool(call.tool, bounds),
    input: bounds.members === 0 ? {} : keptInput(call, bounds),
    verdict: decision.verdict.action,
    decision: decision.decision,
    mode: decision.mode,
    decidedBy: decision.decidedBy,
    rule: keptRule(decision.verdict.rule, bounds),
    reason: keptText(decision.reason, { ...bounds, clean: bounds.cleanSentence }),
    units: shown.map((unit) => keptUnit(unit, bounds)),
    ...(shown.length < units.length ? { moreUnits: units.length - shown.length } : {}),
  };
}

function strictestFirst(units: readonly UnitDecision[]): readonly UnitDecision[] {
  return ACTIONS.flatMap((action) => units.filter((unit) => unit.decision === action));
}

/** The name of a tool; one that everybody knows is no secret. */
function keptTool(tool: string, bounds: Bounds): string {
  return DEFAULT_TOOLS.has(tool) ? tool : keptText(tool, bounds);
}

function keptUnit(unit: UnitDecision, bounds: RecordBounds): AuditUnit {
  return {
    text: keptText(unit.text, { ...bounds, clean: bounds.cleanMade }),
    kind: unit.kind,
    tool: keptTool(unit.tool, bounds),
    verdict: unit.action,
    decision: unit.decision,
    rule: keptRule(unit.rule, bounds),
  };
}

function keptRule(rule: Rule | null, bounds: Bounds): AuditRule | null {
  if (rule === null) return null;
  const { pattern, action, source } = rule;
  return {
    pattern: keptText(pattern, bounds),
    action,
    source: source.kind,
    path: keptText(source.path, bounds),
    line: source.line,
  };
}

/** The longest line, in bytes, its newline included. */
export const MAX_LINE_BYTES = 8192;

/**
 * Limits from most to least. The first that makes a line short enough is used; the last always does.
 */
const BOUNDS: readonly Omit<RecordBounds, keyof CallCleaner>[] = [
  { text: 2000, members: 50, units: 24 },
  { text: 600, members: 24, units: 8 },
  { text: 200, members: 12, units: 4 },
  { text: 90, members: 0, units: 1 },
];

/**
 * A decision as one line of the audit log, ending in its newline: JSON without a raw newline or hidden character, file
 * contents left out, secrets masked, 8 KiB at most. Throws RangeError for a time outside of the years 0 to 9999.
 */
export function auditLine(decision: Decision, call: ToolCall, meta: AuditMeta): string {
  let line = "";
  const units = strictestFirst(decision.units).slice(0, BOUNDS[0]?.units);
  const rules = [decision.verdict.rule, ...units.map(({ rule }) => rule)];
  const cleaner = callCleaner(call, {
    made: units.map(({ text }) => text),
    known: [meta.cwd, call.tool, ...rules.map((rule) => rule?.pattern ?? "")],
  });
  for (const bounds of BOUNDS) {
    line = recordLine(auditRecord(decision, call, { meta, bounds: { ...bounds, ...cleaner } }));
    if (new TextEncoder().encode(line).length <= MAX_LINE_BYTES) break;
  }
  return line;
}

/** An entry as its line, ending in a newline; nothing in it can steer a terminal. */
export function recordLine(entry: AuditRecord): string {
  return `${printedJson(entry)}\n`;
}
