import type { Action } from "../model/action.ts";
import type { JsonObject, ToolCall } from "../model/call.ts";
import type { DecidedBy, Decision, UnitDecision } from "../model/decision.ts";
import type { Rule } from "../model/rule.ts";
import type { SourceKind } from "../model/source.ts";
import { formatInstant } from "../text/instant.ts";
import { type Bounds, keptInput, keptText } from "./keep_input.ts";

/** What a decision does not say of itself. */
export interface AuditMeta {
  /** When it was made, in ms since 1970-01-01T00:00Z. */
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
  /** What it says. */
  readonly action: Action;
  /** The kind of its source. */
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
  /** What it does. */
  readonly kind: UnitDecision["kind"];
  /** The tool whose rules were walked. */
  readonly tool: string;
  /** What the rules say. */
  readonly verdict: Action;
  /** What happens. */
  readonly decision: Action;
  /** The rule that decided; null when none fits. */
  readonly rule: AuditRule | null;
}

/** One decision in the audit log: file contents left out, secrets masked, bounded. */
export interface AuditEntry {
  /** The version of the form. */
  readonly v: 1;
  /** When, as RFC 3339 in UTC. */
  readonly time: string;
  /** The agent's name for its session. */
  readonly session?: string;
  /** The agent. */
  readonly agent?: string;
  /** The directory of the call. */
  readonly cwd: string;
  /** The tool. */
  readonly tool: string;
  /** What is kept of the input. */
  readonly input: JsonObject;
  /** What the rules say. */
  readonly verdict: Action;
  /** What happens. */
  readonly decision: Action;
  /** The mode, or `disabled`. */
  readonly mode: Decision["mode"];
  /** Who decided. */
  readonly decidedBy: DecidedBy;
  /** The rule that decided; null when none fits. */
  readonly rule: AuditRule | null;
  /** Why, in one sentence. */
  readonly reason: string;
  /** The units, strictest decision first, in the order of the call among equals. */
  readonly units: readonly AuditUnit[];
  /** How many units are left out; absent when none is. */
  readonly moreUnits?: number;
}

/** How much an entry keeps. */
export interface EntryBounds extends Bounds {
  /** Units. */
  readonly units: number;
}

const STRICTEST: readonly Action[] = ["deny", "ask", "allow"];

/** What the audit log keeps of a decision. Throws RangeError for a time outside of the years 0 to 9999. */
export function auditEntry(
  decision: Decision,
  call: ToolCall,
  { meta, bounds }: { readonly meta: AuditMeta; readonly bounds: EntryBounds },
): AuditEntry {
  const kept = (text: string) => keptText(text, bounds);
  const units = STRICTEST.flatMap((action) =>
    decision.units.filter((unit) => unit.decision === action)
  );
  const shown = units.slice(0, bounds.units);
  return {
    v: 1,
    time: formatInstant(meta.time),
    ...(meta.session === undefined ? {} : { session: kept(meta.session) }),
    ...(meta.agent === undefined ? {} : { agent: kept(meta.agent) }),
    cwd: kept(meta.cwd),
    tool: kept(call.tool),
    input: bounds.members === 0 ? {} : keptInput(call, bounds),
    verdict: decision.verdict.action,
    decision: decision.decision,
    mode: decision.mode,
    decidedBy: decision.decidedBy,
    rule: keptRule(decision.verdict.rule, bounds),
    reason: kept(decision.reason),
    units: shown.map((unit) => keptUnit(unit, bounds)),
    ...(shown.length < units.length ? { moreUnits: units.length - shown.length } : {}),
  };
}

function keptUnit(unit: UnitDecision, bounds: Bounds): AuditUnit {
  return {
    text: keptText(unit.text, bounds),
    kind: unit.kind,
    tool: keptText(unit.tool, bounds),
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
