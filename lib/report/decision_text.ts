import { strictestOf } from "../decide/precedence.ts";
import type { Action, ToolCall } from "../model/call.ts";
import type { Decision, UnitVerdict, Verdict } from "../model/verdict.ts";
import { callText, cut, unitText } from "../text/call_text.ts";
import type { Color } from "./color.ts";
import { COLUMNS, paragraph } from "./layout.ts";
import { type Folders, ruleLines } from "./place_text.ts";
import { visible } from "../text/visible.ts";

/** The style of a report. */
export interface TextOptions {
  /** The style. */
  readonly color: Color;
  /** The folders that paths are shown relative to. */
  readonly folders: Folders;
  /** The columns of a line; 80 when left out. */
  readonly columns?: number | undefined;
  /** A command that would change the outcome, where there is one. */
  readonly next?: string;
  /** A problem of the call itself. */
  readonly fault?: CallFault;
}

/** A problem of a call, such as a malformed URL. */
export interface CallFault {
  /** The problem: `the URL is malformed: …`. */
  readonly what: string;
  readonly advice: string;
}

export { indented } from "./layout.ts";

const INDENT = "       ";

/** A decision in a few lines, ending in a newline: what happens, the rule with its place, why, and what to do next. */
export function decisionText(call: ToolCall, decision: Decision, options: TextOptions): string {
  const { color, folders, columns = COLUMNS } = options;
  const box = { indent: INDENT, columns };
  const below = (text: string) => paragraph(text, box);
  const head = painted(decision.decision, color);
  const lines = [
    `${head}${" ".repeat(7 - decision.decision.length)}${
      cut(callText(call, decision.units), columns - 7)
    }`,
  ];
  const { rule, reason } = decision.verdict;
  const because = becauseOf(decision, options.fault);
  const why = because === undefined ? [] : below(`because: ${visible(because)}`);
  // A rule that cannot be evaluated is not about the call: the cause comes first.
  const isRaised = isUnevaluable(decision.verdict);
  if (isRaised) lines.push(...why);
  const ofRule = rule && ruleLines(rule, { color, folders, ...box });
  lines.push(...(ofRule ?? below(visible(reason))));
  const about = aboutOf(call, decision);
  if (about !== undefined) lines.push(...below(`for: ${cut(about, 2 * columns)}`));
  if (!isRaised) lines.push(...why);
  lines.push(...besidesRules(decision).flatMap((line) => below(visible(line))));
  if (decision.decision !== decision.verdict.action) {
    lines.push(
      ...below(`the rules alone say ${decision.verdict.action}; ${decidedByText(decision)}`),
    );
  }
  if (rule?.comment !== undefined) lines.push(...below(`comment: ${visible(rule.comment)}`));
  lines.push(...hints(decision, options));
  return lines.join("\n") + "\n";
}

/** The way to see why, unless the rule says it, and the way to allow the call, where there is one. */
function hints(decision: Decision, { color, next }: TextOptions): readonly string[] {
  const why = decision.decision !== "allow" && isOpen(decision);
  // Hidden characters in a command to paste would control the terminal or be lost.
  const way = next !== undefined && visible(next) === next;
  return [
    ...(why ? [`${INDENT}${color.dim("to see why: run explain instead of check")}`] : []),
    ...(way ? [`${INDENT}${color.dim("to allow it:")} ${color.cyan(next)}`] : []),
  ];
}

/** An action in its colour: allow green, ask yellow, deny red. */
export function painted(action: Action, color: Color): string {
  return painterOf(action, color)(action);
}

/** The colour of an action. */
export function painterOf(action: Action, color: Color): (text: string) => string {
  switch (action) {
    case "allow":
      return color.green;
    case "ask":
      return color.yellow;
    case "deny":
      return color.red;
  }
}

/** The stage that changed the verdict of the rules, as a clause. */
export function decidedByText(decision: Decision): string {
  switch (decision.decidedBy) {
    case "headless":
      return "nobody can be asked (--headless), so it is denied";
    case "auto-allow":
      return "auto-allow answers the question with allow";
    case "disabled":
      return decision.mode === "disabled"
        ? "--no-permissions switches off the rules"
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

/** The note on an ask that hooks do not pass on. */
export const LEFT_TO_AGENT =
  'left to the agent: no written rule matches, so the hook stays silent (unmatched = "agent")';

/** Results beside the rules: the safety check that stops the call, auto mode's opinion, and the silence of hooks. */
function besidesRules({ units, opinion, leftToAgent }: Decision): readonly string[] {
  const check = units.find((unit) => unit.check !== undefined)?.check;
  return [
    ...(check === undefined ? [] : [`safety check: ${check}`]),
    ...(opinion === undefined ? [] : [`auto mode: ${opinion}`]),
    ...(leftToAgent ? [LEFT_TO_AGENT] : []),
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

/** True if a rule gives a unit the same action; files that a command reads or writes have rules of their own. */
function isSaidBy(unit: UnitVerdict, { action, rule }: Pick<Verdict, "action" | "rule">): boolean {
  const isOwn = unit.kind === "call" || unit.kind === "command" || unit.kind === "opaque";
  return !isOwn || unit.action === action && unit.rule === rule && rule !== null;
}

/** True if the reader may expect another rule to match: a built-in rule, none, or a safety check asks. */
function isOpen({ verdict: { action, by, rule } }: Decision): boolean {
  return action === "ask" && (by === "safety" || rule === null || rule.source.kind === "builtin");
}

/** The reason, unless the rule's own line is enough. */
function becauseOf(decision: Decision, fault: CallFault | undefined): string | undefined {
  const reason = isPlain(decision) ? undefined : decision.verdict.reason;
  if (fault === undefined) return reason;
  // The reason of a safety check already names the malformed part.
  return `${decision.verdict.by === "safety" ? reason : fault.what}; ${fault.advice}`;
}

/** True if the verdict's rule is one that cannot be evaluated. */
function isUnevaluable({ rule, by, units }: Verdict): boolean {
  return by === "safety" && rule !== null &&
    units.some(({ steps }) =>
      steps.some((step) => step.effect === "raises" && step.rule.index === rule.index)
    );
}

/** True if the rule's own line explains the decision. */
function isPlain(decision: Decision): boolean {
  const { rule, by } = decision.verdict;
  if (by !== "rule") return false;
  if (rule === null) return true;
  const { kind, action } = strictestOf(decision.verdict.units, (unit) => unit);
  return !(kind === "opaque" && action === "ask") && rule.reason === undefined;
}
