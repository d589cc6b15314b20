import type { TraceStep, UnitDecision } from "../../model/verdict.ts";
import { asksAboutUnknown } from "../../decide/unit_result.ts";
import { unitText } from "../../text/call_text.ts";
import { painted } from "../decision_text.ts";
import type { ExplainStyle } from "./explain_style.ts";
import type { Explanation } from "./explanation.ts";
import { paragraph, wrapped } from "../layout.ts";
import { placeText } from "../place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";

interface Context extends Pick<ExplainStyle, "color" | "columns"> {
  readonly explanation: Explanation;
  /** The prefix of every line. */
  readonly indent: string;
}

/** Units are not moved further to the right than this many levels. */
const DEEPEST = 8;

const BELOW = " ".repeat(14);

/** The walk of every unit; of several each under its own heading, below and right of what it was reached through. */
export function traceLines(
  explanation: Explanation,
  { color, columns }: Pick<ExplainStyle, "color" | "columns">,
): readonly string[] {
  const { units } = explanation.decision;
  return units.flatMap((unit, index) => {
    const indent = "  ".repeat(Math.min(unit.depth, DEEPEST));
    const context = { explanation, color, columns, indent };
    return [
      "",
      ...headingLines(unit, { ...context, index }),
      ...classLines(index, context),
      ...unitLines(unit, context),
    ];
  });
}

/** The classes of a unit's command in words. */
function classLines(
  index: number,
  { explanation, indent, columns }: Context,
): readonly string[] {
  return (explanation.classes[index] ?? [])
    .flatMap((line) => paragraph(line, { indent: `${indent}  `, columns }));
}

function headingLines(
  unit: UnitDecision,
  { explanation, color, columns, indent, index }: Context & { readonly index: number },
): readonly string[] {
  if (explanation.decision.units.length === 1) return [color.bold("Rules, in order")];
  const label = `Unit ${index + 1}: `;
  const hanging = indent + " ".repeat(label.length);
  return wrapped(unitText(unit), columns - hanging.length)
    .map((line, place) => color.bold(`${place === 0 ? indent + label : hanging}${line}`));
}

function traceOf({ steps }: UnitDecision): readonly TraceStep[] {
  const end = steps.findIndex(({ effect }) => effect === "decides");
  return end < 0 ? steps.filter(({ effect }) => effect !== "after") : steps.slice(0, end + 1);
}

function unitLines(unit: UnitDecision, context: Context): readonly string[] {
  const { color, indent } = context;
  const after = unit.steps.filter(({ effect }) => effect === "after");
  return [
    ...foldedSteps(traceOf(unit)).flatMap((step) =>
      typeof step === "number" ? [othersLine(step, context)] : stepLines(step, { ...context, unit })
    ),
    ...(unit.rule === null && unit.check === undefined ? endLines(unit, context) : []),
    ...effectLines(unit, context),
    ...(after.length === 0
      ? []
      : ["", `${indent}${color.bold("Shadowed here: later rules that would have matched")}`]),
    ...after.flatMap((step) => stepLines(step, { ...context, unit })),
  ];
}

/** The steps; in place of rules about other tools that follow each other, their number. */
function foldedSteps(steps: readonly TraceStep[]): readonly (TraceStep | number)[] {
  const folded: (TraceStep | number)[] = [];
  for (const step of steps) {
    const last = folded.at(-1);
    if (step.ofOthers !== true || step.effect !== "passes") folded.push(step);
    else if (typeof last === "number") folded[folded.length - 1] = last + 1;
    else folded.push(1);
  }
  return folded;
}

function othersLine(count: number, { color, indent }: Context): string {
  const rules = count === 1 ? "1 rule" : `${count} rules`;
  return `${indent}      ${color.dim(`- ${rules} about other tools`)}`;
}

/** The lines after the trace: a safety check, and the effect of the mode on the unit. */
function effectLines(
  { action, decision, decidedBy, check }: UnitDecision,
  { explanation, color, columns, indent }: Context,
): readonly string[] {
  const byFlag = decidedBy === "headless" || decidedBy === "auto-allow" || decidedBy === "safety";
  const { mode } = explanation.decision;
  return [
    ...(check === undefined
      ? []
      : paragraph(`safety check: ${visible(check)}`, { indent: `${indent}  `, columns })),
    ...(action === decision || byFlag || mode === "disabled"
      ? []
      : [`${indent}  mode ${mode}: ${painted(decision, color)}`]),
  ];
}

/** The end of a trace in which no rule decides. */
function endLines(
  unit: UnitDecision,
  { explanation, color, columns, indent }: Context,
): readonly string[] {
  const isPlain = unit.kind === "call" || unit.kind === "command";
  if (unit.action === "ask" && (isPlain || explanation.decision.units.length === 1)) {
    return [`${indent}  ${color.yellow("no rule matches")}: ask`];
  }
  const [first = "", ...rest] = paragraph(
    `${unit.action}: ${visible(unit.reason)}`,
    { indent: `${indent}  `, columns },
  );
  const action = painted(unit.action, color);
  return [first.replace(unit.action, action), ...rest];
}

function stepLines(
  step: TraceStep,
  { color, columns, explanation, indent, unit }: Context & { readonly unit: UnitDecision },
): readonly string[] {
  const { rule } = step;
  const below = indent + BELOW;
  const box = { indent: below, columns };
  const plainPlace = placeText(rule.source, explanation.folders);
  const place = color.dim(plainPlace);
  const pattern = visible(rule.pattern);
  const action = `${painted(rule.action, color)}${" ".repeat(6 - rule.action.length)}`;
  const number = String(rule.index).padStart(3);
  const head = `${indent}  ${number} ${markOf(step, color)} ${action}${pattern}`;
  const why = step.effect === "expired" ? expiry(step) : remarkOf(step, unit);
  const gap = Math.max(2, 26 - indent.length - textWidth(pattern));
  const fits = below.length + textWidth(pattern) + gap + textWidth(plainPlace) <= columns;
  return [
    ...(fits ? [`${head}${" ".repeat(gap)}${place}`] : [head, `${below}${place}`]),
    ...(why === "" ? [] : paragraph(why, box)),
    ...(rule.comment === undefined || step.match !== "yes"
      ? []
      : paragraph(`comment: ${visible(rule.comment)}`, box)),
  ];
}

function remarkOf(step: TraceStep, unit: UnitDecision): string {
  switch (step.effect) {
    case "decides":
      if (unit.by === "safety" && !asksAboutUnknown(unit)) {
        return "matches: evaluation ends; a rule above that cannot be evaluated makes it an ask";
      }
      return step.rule.reason === undefined
        ? "matches: it decides"
        : `matches: it decides; reason: ${visible(step.rule.reason)}`;
    case "after":
      return "";
    case "waits":
      return "matches, but an allow of this source only answers questions";
    case "holds":
      return "matches: it asks, because its workspace is not trusted, unless a rule below is stricter";
    case "answers":
      return "matches: it answers the question that the rules below end in";
    case "raises":
      return `cannot be evaluated: ${
        visible(step.why)
      }; so the call is not allowed without a question`;
    case "passes":
    case "expired":
      return visible(step.why);
  }
}

function expiry(step: TraceStep): string {
  return `expired at ${new Date(step.rule.expiresAt ?? 0).toISOString()}: no longer counts`;
}

function markOf(step: TraceStep, color: ExplainStyle["color"]): string {
  switch (step.effect) {
    case "decides":
    case "answers":
      return color.green("→");
    case "raises":
      return color.yellow("?");
    case "after":
    case "waits":
    case "holds":
      return "·";
    case "passes":
    case "expired":
      return color.dim("-");
  }
}
