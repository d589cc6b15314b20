import type { Json, ToolCall } from "../model/call.ts";
import type { Decision, UnitDecision } from "../model/verdict.ts";
import type { Rule } from "../model/rule.ts";
import { printedJson, printedString } from "../text/printed_json.ts";

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

/**
 * A decision as one line of JSON: the text of `printedJson` for its `id`, if it has one, before all that `decisionJson` has. Put together from
 * texts, because the same rules and names come again and again.
 */
export function decisionLine(
  { tool, input }: ToolCall,
  decision: Decision,
  { id }: { readonly id: Json | undefined },
): string {
  const { verdict, leftToAgent, units, warnings } = decision;
  let text = id === undefined ? "{" : `{"id":${printedJson(id)},`;
  text += `"tool":${printedString(tool)},"input":${printedJson(input)},"verdict":"` +
    `${verdict.action}","decision":"${decision.decision}","mode":"${decision.mode}","decidedBy":"` +
    `${decision.decidedBy}","rule":${ruleText(verdict.rule)},"reason":` +
    printedString(decision.reason);
  if (leftToAgent) text += ',"leftToAgent":true';
  let mark = ',"units":[';
  for (const unit of units) {
    text += mark + unitText(unit);
    mark = ",";
  }
  if (units.length === 0) text += mark;
  return `${text}],"warnings":${warnings.length === 0 ? "[]" : printedJson(warnings)}}`;
}

function unitText(unit: UnitDecision): string {
  const { text, kind, via, depth, classes, action, decision, rule } = unit;
  return `{"text":${printedString(text)},"kind":"${kind}","via":` +
    `${via === null ? "null" : printedString(via)},"depth":${depth},"classes":` +
    `${classes.length === 0 ? "[]" : `["${classes.join('","')}"]`},"verdict":"${action}",` +
    `"decision":"${decision}","rule":${ruleText(rule)}}`;
}

/** The texts of rules that were printed before. */
const ruleTexts = new WeakMap<Rule, string>();

function ruleText(rule: Rule | null): string {
  if (rule === null) return "null";
  let text = ruleTexts.get(rule);
  if (text === undefined) ruleTexts.set(rule, text = printedJson(ruleJson(rule)));
  return text;
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
