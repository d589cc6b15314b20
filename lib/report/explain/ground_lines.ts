import { isWrittenAsk } from "../../decide/precedence.ts";
import type { Rule } from "../../model/rule.ts";
import type { Span } from "../../model/problem.ts";
import type { DecidedBy, TraceStep, UnitDecision } from "../../model/verdict.ts";
import { cut } from "../../text/call_text.ts";
import { inBackticks } from "../../text/quote.ts";
import { textWidth, visible } from "../../text/visible.ts";
import { excerpt } from "../excerpt.ts";
import { paragraph } from "../layout.ts";
import { pathText, placeText, ruleLines } from "../place_text.ts";
import { painterOf } from "../decision_text.ts";
import type { ExplainStyle } from "./explain_style.ts";
import type { Explanation } from "./explanation.ts";

/** The surroundings of the lines about a unit. */
export interface GroundContext extends Pick<ExplainStyle, "color" | "columns"> {
  readonly explanation: Explanation;
  /** In front of each line. */
  readonly indent: string;
  /** The most lines of a sentence. */
  readonly most: number;
  /** `all`: with the text of the rule, what others say of it, the nearest rule and the class. `rule`: without the last two. */
  readonly extras: "all" | "rule" | "none";
}

/** Everything that decides a unit: the cause where something is unknown, the rule with its place and its text, and why. */
export function groundLines(unit: UnitDecision, context: GroundContext): readonly string[] {
  const { rule } = unit;
  const { most, extras } = context;
  const lines = { ...context, most: most + 1 };
  // Lines that break at blanks leave some columns.
  const room = Math.floor((context.columns - context.indent.length) * (most + 0.5));
  const cause = causeOf(unit, room);
  const isChecked = isStoppedByCheck(unit);
  const isRuleShown = rule !== null && !isChecked && !isOfAutoMode(unit);
  // A rule that cannot be evaluated is not about the call.
  const isAbout = isRuleShown && raisedStep(unit) === undefined;
  return [
    ...sentence(isChecked ? `safety check: ${unit.check}` : cause, lines),
    ...(isRuleShown && cause === undefined && isBuiltinAsk(rule)
      ? sentence("no written rule matches", context)
      : []),
    ...(isRuleShown ? ruleLines(rule, ruleStyle(context)) : []),
    ...(isRuleShown && extras !== "none" ? ruleExcerpt(rule, context) : []),
    ...(isAbout && extras !== "none" ? sayingsOf(rule, context) : []),
    ...(extras === "all" ? nearestLines(unit, context) : []),
    ...(extras === "all" ? classLine(unit, context) : []),
  ];
}

/**
 * The ground of a unit in one line: `rule Bash:rm *, .caliban/permissions.toml:4:1`; the pattern is cut to `room` columns. `first`
 * is the unit that decides.
 */
export function groundText(
  unit: UnitDecision,
  { folders, room, first }: Pick<Explanation, "folders"> & {
    readonly room: number;
    readonly first: UnitDecision;
  },
): string {
  if (isStoppedByCheck(unit)) return `safety check: ${visible(unit.check ?? "")}`;
  const { rule, text } = unit;
  const cause = causeOf(unit);
  // The text of the unit stands in front of it.
  if (cause !== undefined) return visible(cause.replace(unanalysed(text), ""));
  if (rule === null) return visible(unit.reason);
  if (isBuiltinAsk(rule)) return "no written rule matches";
  if (rule.index === first.rule?.index && !isStoppedByCheck(first)) return "the same rule";
  const { kind, path, line, column } = rule.source;
  const place = kind === "cli"
    ? placeText(rule.source, folders)
    : `${pathText(path, folders)}:${line}:${column}`;
  return `rule ${
    cut(visible(rule.pattern), Math.max(LEAST, room - textWidth(place) - 7))
  }, ${place}`;
}

/** The columns that a pattern gets at least. */
const LEAST = 8;

function unanalysed(text: string): string {
  return `${inBackticks(text)} cannot be analysed: `;
}

/** True if a safety check stops the unit, and no rule denies it. */
function isStoppedByCheck({ action, check }: UnitDecision): boolean {
  return check !== undefined && action !== "deny";
}

/**
 * The cause of an answer that the rule alone does not explain; undefined if the rule does. One that is too long for `room` columns is
 * cut before the rule that it is the cause of.
 */
function causeOf(unit: UnitDecision, room = Infinity): string | undefined {
  const { rule, kind, action, reason } = unit;
  if (rule === null || isOfAutoMode(unit)) return reason;
  const raised = raisedStep(unit);
  if (raised !== undefined) {
    const name = `the ${rule.action} rule ${inBackticks(visible(rule.pattern))}`;
    if (raised.why.includes(name)) return raised.why;
    const end = `, so ${name} cannot be ruled out`;
    return cut(visible(raised.why), Math.max(LEAST, room - textWidth(end))) + end;
  }
  return kind === "opaque" && action === "ask" ? reason : undefined;
}

/** True if a list or the model of auto mode denies the unit. */
function isOfAutoMode({ decision, decidedBy }: UnitDecision): boolean {
  return decision === "deny" && BY_AUTO_MODE.has(decidedBy);
}

const BY_AUTO_MODE: ReadonlySet<DecidedBy> = new Set([
  "static-rule",
  "classifier",
  "cache",
  "fallback",
]);

/** The step of the deciding rule if that rule cannot be evaluated. */
function raisedStep({ by, rule, steps }: UnitDecision): TraceStep | undefined {
  if (by !== "safety") return undefined;
  return steps.find((step) => step.effect === "raises" && step.rule.index === rule?.index);
}

function isBuiltinAsk(rule: Rule): boolean {
  return rule.action === "ask" && !isWrittenAsk({ action: "ask", by: "rule", rule });
}

function sentence(text: string | undefined, context: GroundContext): readonly string[] {
  return text === undefined ? [] : paragraph(visible(text), context);
}

function ruleStyle({ color, columns, indent, explanation: { folders } }: GroundContext) {
  return { color, columns, indent, folders, isCut: true } as const;
}

/** The line of the file that has the pattern, with the pattern underlined; nothing for a rule that is in no file. */
function ruleExcerpt(
  rule: Rule,
  { explanation: { sources }, color, columns, indent }: GroundContext,
): readonly string[] {
  const placed = sources.rules[rule.index];
  const isOfFile = placed?.pattern.value === rule.pattern && rule.source.kind !== "builtin" &&
    placed.text !== "" && placed.text !== placed.pattern.value;
  if (!isOfFile) return [];
  const span = unquoted(placed.pattern.span, placed.text);
  const gutter = `${span.line} | `;
  const { line, underline } = excerpt(placed.text, {
    span,
    columns: columns - indent.length - gutter.length,
  });
  const paint = painterOf(rule.action, color);
  return [
    `${indent}${color.dim(gutter)}${line}`,
    `${indent}${color.dim(`${" ".repeat(gutter.length - 2)}| `)}${paint(underline)}`,
  ];
}

/** The span of a string without its quotes. */
function unquoted(span: Span, text: string): Span {
  const { start, end } = span;
  const isQuoted = end - start > 2 && /["']/.test(text[start]!) && text[start] === text[end - 1];
  return isQuoted ? { ...span, start: start + 1, end: end - 1 } : span;
}

function sayingsOf({ reason, comment }: Rule, context: GroundContext): readonly string[] {
  return [
    ...sentence(reason === undefined ? undefined : `reason: ${reason}`, context),
    ...sentence(comment === undefined ? undefined : `comment: ${comment}`, context),
  ];
}

/** The allow rule for the same command or class that is nearest to a command that asks, and why it does not match. */
function nearestLines(unit: UnitDecision, context: GroundContext): readonly string[] {
  const { kind, action, rule, steps } = unit;
  if (kind !== "command" || action !== "ask" || rule !== null && !isBuiltinAsk(rule)) return [];
  const near = steps.findLast((step) =>
    step.effect === "passes" && step.rule.action === "allow" && step.ofOthers === undefined &&
    step.why !== "" && isNear(step.rule.pattern, unit)
  );
  if (near === undefined) return [];
  const place = placeText(near.rule.source, context.explanation.folders);
  return sentence(
    `nearest: allow ${inBackticks(visible(near.rule.pattern))} (${place}): ${near.why}`,
    context,
  );
}

/** True if a pattern names a class of the command, or begins with the words that the command begins with. */
function isNear(pattern: string, { text, classes }: UnitDecision): boolean {
  const [, name, head] = /[:(]\s*(?:@([a-z-]+)|([^\s:*?()@][^:*?)]*))/.exec(pattern) ?? [];
  if (name !== undefined) return classes.some((known) => known === name);
  const command = text.replace(/^(?:\w+=\S*\s+)+/, "");
  return head !== undefined && command.startsWith(head.trimEnd());
}

/** The classes of a command that asks or is denied, in one line; why it is unknown only where a rule names a class. */
function classLine(unit: UnitDecision, context: GroundContext): readonly string[] {
  const { explanation: { decision, classes } } = context;
  if (unit.decision === "allow" && unit.action === "allow") return [];
  const namesClass = unit.steps.some(({ rule }) => /[(:]@/.test(rule.pattern));
  const lines = (classes[decision.units.indexOf(unit)] ?? [])
    .filter((line) => namesClass || !line.startsWith("@unknown"));
  return lines.length === 0 ? [] : paragraph(`class ${lines.join("; ")}`, { ...context, most: 1 });
}
