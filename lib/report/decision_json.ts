import {
  type Action,
  COMMAND_CLASSES,
  type CommandClass,
  type Json,
  type JsonObject,
  type ToolCall,
} from "../model/call.ts";
import { onDemand } from "../model/on_demand.ts";
import type { Decision, UnitDecision } from "../model/verdict.ts";
import type { Rule } from "../model/rule.ts";
import { inQuotes, printedJson } from "../text/printed_json.ts";

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

/** A decision as `check --json` writes it, over several lines. */
export function decisionLines(call: ToolCall, decision: Decision): string {
  return `${printedJson(decisionJson(call, decision), { indent: 2 })}\n`;
}

/**
 * A decision as one line of JSON: the text of `printedJson` for its `id`, if it has one, before all that `decisionJson` has. Put together from
 * few parts, each of which costs when the text is written; what comes again is kept.
 */
export function decisionLine(
  { tool, input }: ToolCall,
  decision: Decision,
  { id }: { readonly id: Json | undefined },
): string {
  const { verdict, leftToAgent, units, warnings } = decision;
  const start = id === undefined ? '{"tool":"' : `{"id":${printedJson(id)},"tool":"`;
  let text = `${start}${inQuotes(tool)}","input":${inputText(input)}` +
    printedRule(verdict.rule).outcome(decision);
  text += leftToAgent ? ',"leftToAgent":true,"units":[' : ',"units":[';
  let mark = '{"text":"';
  for (const unit of units) {
    text += mark + inQuotes(unit.text) + unitText(unit) + printedRule(unit.rule).text;
    mark = '},{"text":"';
  }
  text += units.length === 0 ? '],"warnings":' : '}],"warnings":';
  return text + (warnings.length === 0 ? "[]}" : `${printedJson(warnings)}}`);
}

/** The JSON of an input. Most are a few texts, of which a test of each costs less than to print an object. */
function inputText(input: JsonObject): string {
  if ("toJSON" in input) return printedJson(input);
  let text = "";
  for (const name of Object.keys(input)) {
    const value = input[name];
    if (typeof value !== "string") return printedJson(input);
    text += `${text === "" ? "{" : ","}"${inQuotes(name)}":"${inQuotes(value)}"`;
  }
  return text === "" ? "{}" : `${text}}`;
}

type Outcome =
  & Pick<Decision, "decision" | "mode" | "decidedBy" | "reason">
  & Pick<Decision["verdict"], "action">;

/** A rule as it was printed. */
class PrintedRule {
  /** Its JSON; `null` for none. */
  readonly text: string;
  #last: Outcome | undefined;
  #outcome = "";

  constructor(rule: Rule | null) {
    this.text = printedJson(ruleJson(rule));
  }

  /** The text of a decision by the rule, from its verdict to its reason. The last one is kept. */
  outcome({ verdict: { action }, decision, mode, decidedBy, reason }: Decision): string {
    const last = this.#last;
    const isKept = last !== undefined && last.action === action && last.decision === decision &&
      last.mode === mode && last.decidedBy === decidedBy && last.reason === reason;
    if (isKept) return this.#outcome;
    this.#last = { action, decision, mode, decidedBy, reason };
    return this.#outcome =
      `,"verdict":"${action}","decision":"${decision}","mode":"${mode}","decidedBy":"` +
      `${decidedBy}","rule":${this.text},"reason":"${inQuotes(reason)}"`;
  }
}

const noRule = onDemand(() => new PrintedRule(null));
const printedRules = new WeakMap<Rule, PrintedRule>();

function printedRule(rule: Rule | null): PrintedRule {
  if (rule === null) return noRule();
  let printed = printedRules.get(rule);
  if (printed === undefined) printedRules.set(rule, printed = new PrintedRule(rule));
  return printed;
}

/** The texts of units from their depth to their rule that were printed before, by all that is in them, and the most that are kept. */
const rests = new Map<number, string>();
const MOST_RESTS = 4_096;

/** The text of a unit from the quote behind its own text to its rule. */
function unitText({ kind, via, depth, classes, action, decision }: UnitDecision): string {
  const ofClasses = classes.length === 0 ? 0 : classes.length === 1 ? CLASS_AT[classes[0]!] : NaN;
  const ofUnit = KIND_AT[kind] * 2 + (via === null ? 0 : 1);
  const key = ((depth * (COMMAND_CLASSES.length + 1) + ofClasses) * KINDS + ofUnit) * 9 +
    ACTION_AT[action] * 3 + ACTION_AT[decision];
  let rest = rests.get(key);
  if (rest === undefined) {
    const start = via === null ? `","kind":"${kind}","via":null` : '"';
    rest = `${start},"depth":${depth},"classes":${printedJson(classes)},"verdict":"${action}",` +
      `"decision":"${decision}","rule":`;
    if (!Number.isNaN(key) && rests.size < MOST_RESTS) rests.set(key, rest);
  }
  return via === null ? rest : `","kind":"${kind}","via":"${inQuotes(via)}${rest}`;
}

const ACTION_AT: Readonly<Record<Action, number>> = { allow: 0, ask: 1, deny: 2 };
const KIND_AT: Readonly<Record<UnitDecision["kind"], number>> = {
  call: 0,
  command: 1,
  opaque: 2,
  read: 3,
  write: 4,
  url: 5,
};
const KINDS = 2 * Object.keys(KIND_AT).length;
const CLASS_AT = Object.fromEntries(
  COMMAND_CLASSES.map((name, at) => [name, at + 1]),
) as Readonly<Record<CommandClass, number>>;

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
