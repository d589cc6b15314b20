import type { ToolCall } from "../model/call.ts";
import type { Decision, UnitDecision } from "../model/verdict.ts";
import type { Rule } from "../model/rule.ts";

/** A rule as `--json` prints it. */
export interface RuleJson {
  /** Its pattern as written. */
  readonly pattern: string;
  readonly action: Rule["action"];
  /** Its place in the whole list, from 0. */
  readonly index: number;
  /** For people. */
  readonly comment?: string;
  /** For the model. */
  readonly reason?: string;
  /** Its place. */
  readonly source: Rule["source"];
}

/** A rule as `--json` prints it; null stays null. */
export function ruleJson(rule: Rule | null): RuleJson | null {
  if (rule === null) return null;
  const { pattern, action, index, comment, reason } = rule;
  const { kind, path, line, column } = rule.source;
  return {
    pattern,
    action,
    index,
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
    source: { kind, path, line, column },
  };
}

/** A decision as `check --json` prints it; `schema/decision.schema.json` describes it. */
export function decisionJson(call: ToolCall, decision: Decision): Record<string, unknown> {
  return {
    tool: call.tool,
    input: call.input,
    verdict: decision.verdict.action,
    decision: decision.decision,
    mode: decision.mode,
    decidedBy: decision.decidedBy,
    rule: ruleJson(decision.verdict.rule),
    reason: decision.reason,
    ...(decision.leftToAgent ? { leftToAgent: true } : {}),
    units: decision.units.map(unitJson),
    warnings: decision.warnings,
  };
}

function unitJson(unit: UnitDecision): Record<string, unknown> {
  return {
    text: unit.text,
    kind: unit.kind,
    via: unit.via,
    depth: unit.depth,
    classes: unit.classes,
    verdict: unit.action,
    decision: unit.decision,
    rule: ruleJson(unit.rule),
  };
}
