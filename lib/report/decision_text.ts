import { type Action, strictestOf } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Rule } from "../model/rule.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { callText, cut, unitText } from "./call_text.ts";
import type { Color } from "./color.ts";
import { COLUMNS, indented } from "./layout.ts";
import { type Folders, placeText } from "./place_text.ts";
import { visible } from "../text/visible.ts";
import { textWidth } from "../text/width.ts";

/** How a report is written. */
export interface TextOptions {
  /** The style. */
  readonly color: Color;
  /** What paths are shown relative to. */
  readonly folders: Folders;
  /** A command that would change the outcome, where there is one. */
  readonly next?: string;
  /** What is wrong with the call itself. */
  readonly fault?: CallFault;
}

/** A call that cannot be judged as it was meant. */
export interface CallFault {
  /** What is wrong: `the URL is malformed: …`. */
  readonly what: string;
  /** How to mend it. */
  readonly advice: string;
}

export { indented } from "./layout.ts";

const INDENT = "       ";

/** A decision in a few lines, ending in a newline: what happens, the rule with its place, why, and what to do next. */
export function decisionText(call: ToolCall, decision: Decision, options: TextOptions): string {
  const { color } = options;
  const head = painted(decision.decision, color);
  const lines = [
    `${head}${" ".repeat(7 - decision.decision.length)}${
      cut(callText(call, decision.units), COLUMNS - 7)
    }`,
  ];
  const { rule, reason } = decision.verdict;
  lines.push(...(rule === null ? below(visible(reason)) : ruleLines(rule, options)));
  const about = aboutOf(call, decision);
  if (about !== undefined) lines.push(...below(`for: ${cut(about, 2 * COLUMNS)}`));
  const because = becauseOf(decision, options.fault);
  if (because !== undefined) lines.push(...below(`because: ${visible(because)}`));
  lines.push(...besidesRules(decision).flatMap((line) => below(visible(line))));
  if (decision.decision !== decision.verdict.action) {
    lines.push(
      ...below(`the rules alone say ${decision.verdict.action}; ${decidedByText(decision)}`),
    );
  }
  if (rule?.comment !== undefined) lines.push(...below(`comment: ${visible(rule.comment)}`));
  // What hides in a command to paste would steer the terminal or be lost.
  if (options.next !== undefined && visible(options.next) === options.next) {
    lines.push(`${INDENT}${color.dim("to allow it:")} ${color.cyan(options.next)}`);
  } else if (decision.decision !== "allow" && isOpen(decision)) {
    lines.push(`${INDENT}${color.dim("to see why: the same with explain in place of check")}`);
  }
  return lines.join("\n") + "\n";
}

/** An action in its colour: allow green, ask yellow, deny red. */
export function painted(action: Action, color: Color): string {
  switch (action) {
    case "allow":
      return color.green(action);
    case "ask":
      return color.yellow(action);
    case "deny":
      return color.red(action);
  }
}

/** A rule with its place, below it where that is too long: `rule Bash:git * (allow), project, .caliban/…:4:1`. */
function ruleLines(rule: Rule, { color, folders }: TextOptions): readonly string[] {
  const pattern = visible(rule.pattern);
  const place = placeText(rule.source, folders);
  const head = `${INDENT}rule ${color.bold(pattern)}`;
  const action = `(${rule.action}),`;
  const width = textWidth(`${INDENT}rule ${pattern} ${action}`);
  if (width + 1 + textWidth(place) <= COLUMNS) return [`${head} ${action} ${place}`];
  return width <= COLUMNS
    ? [`${head} ${action}`, `${INDENT}${place}`]
    : [head, `${INDENT}${action} ${place}`];
}

/** What changed the verdict of the rules. */
export function decidedByText(decision: Decision): string {
  switch (decision.decidedBy) {
    case "headless":
      return "nobody can be asked (--headless), so it is denied";
    case "auto-allow":
      return "auto-allow answers the question with allow";
    case "disabled":
      return decision.mode === "disabled"
        ? "--no-permissions switches the rules off"
        : "auto mode is switched off";
    case "mode":
    case "bypass":
      return `the mode ${decision.mode} ${decision.decision === "deny" ? "denies" : "allows"} it`;
    case "safety":
      return "a safety check asks";
    case "static-rule":
    case "classifier":
    case "cache":
    case "fallback":
      return `auto mode ${decision.decision === "deny" ? "denies" : "allows"} it`;
    default:
      return `decided by ${decision.decidedBy}`;
  }
}

/** What was found besides what rules say: the safety check that stops the call, and what auto mode says of it. */
function besidesRules({ units, opinion }: Decision): readonly string[] {
  const check = units.find((unit) => unit.check !== undefined)?.check;
  return [
    ...(check === undefined ? [] : [`safety check: ${check}`]),
    ...(opinion === undefined ? [] : [`auto mode: ${opinion}`]),
  ];
}

/** The unit that the verdict comes from, where the call is more than one and the verdict is not that of all. */
function aboutOf(call: ToolCall, { verdict }: Decision): string | undefined {
  const { units, action, rule } = verdict;
  if (units.length === 1 || action === "allow") return undefined;
  if (units.every((unit) => isSaidBy(unit, { action, rule }))) return undefined;
  const text = unitText(strictestOf(units, (unit) => unit));
  // The line may be one command, besides what it reads and writes.
  return `${visible(call.tool)} ${text}` === callText(call, units) ? undefined : text;
}

/** Whether a rule says the same of a unit; what is read and written besides has rules of its own. */
function isSaidBy(unit: UnitVerdict, { action, rule }: Pick<Verdict, "action" | "rule">): boolean {
  const isOwn = unit.kind === "call" || unit.kind === "command" || unit.kind === "opaque";
  return !isOwn || unit.action === action && unit.rule === rule && rule !== null;
}

/** Whether the rule that is shown leaves open why others, which may be expected to, do not fit. */
function isOpen({ verdict: { action, by, rule } }: Decision): boolean {
  return action === "ask" && (by === "safety" || rule === null || rule.source.kind === "builtin");
}

/** Why, where the rule's own line does not say everything. */
function becauseOf(decision: Decision, fault: CallFault | undefined): string | undefined {
  const reason = isPlain(decision) ? undefined : decision.verdict.reason;
  if (fault === undefined) return reason;
  // A safety check says itself what is malformed.
  return `${decision.verdict.by === "safety" ? reason : fault.what}; ${fault.advice}`;
}

/** Whether the rule's own line says everything. */
function isPlain(decision: Decision): boolean {
  const { rule, by } = decision.verdict;
  if (by !== "rule") return false;
  if (rule === null) return true;
  const { kind, action } = strictestOf(decision.verdict.units, (unit) => unit);
  return !(kind === "opaque" && action === "ask") && rule.reason === undefined;
}

function below(text: string): readonly string[] {
  return indented(text, INDENT);
}
