import type { TraceStep, UnitDecision } from "../../model/verdict.ts";
import { asksAboutUnknown } from "../../decide/unit_result.ts";
import { unitText } from "../../text/call_text.ts";
import type { Color } from "../color.ts";
import { painted } from "../decision_text.ts";
import type { Explanation } from "./explanation.ts";
import { COLUMNS, indented, wrapped } from "../layout.ts";
import { placeText } from "../place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";

interface Context {
  readonly explanation: Explanation;
  readonly color: Color;
  /** The prefix of every line. */
  readonly indent: string;
}

/** Units are not moved further to the right than this many levels. */
const DEEPEST = 8;

const OTHERS = " (rules without a remark are for other tools)";

const BELOW = " ".repeat(14);

/** The walk of every unit; of several each under its own heading, below and right of what it was reached through. */
export function traceLines(explanation: Explanation, color: Color): readonly string[] {
  const { units } = explanation.decision;
  return units.flatMap((unit, index) => {
    const indent = "  ".repeat(Math.min(unit.depth, DEEPEST));
    const context = { explanation, color, indent };
    return [
      "",
      ...headingLines(unit, { ...context, index }),
      ...classLines(index, context),
      ...unitLines(unit, context),
    ];
  });
}

/** The classes of a unit's command in words. */
function classLines(index: number, { explanation, indent }: Context): readonly string[] {
  return (explanation.classes[index] ?? []).flatMap((line) => indented(line, `${indent}  `));
}

function headingLines(
  unit: UnitDecision,
  { explanation, color, indent, index }: Context & { readonly index: number },
): readonly string[] {
  const others = traceOf(unit).some(({ ofOthers }) => ofOthers) ? OTHERS : "";
  if (explanation.decision.units.length === 1) {
    return [`${color.bold("Rules, in order")}${color.dim(others)}`];
  }
  const label = `Unit ${index + 1}: `;
  const hanging = indent + " ".repeat(label.length);
  const title = wrapped(unitText(unit), COLUMNS - hanging.length).map((line, place) =>
    `${place === 0 ? indent + label : hanging}${line}`
  );
  const last = title.at(-1) ?? "";
  const fits = textWidth(last) + others.length <= COLUMNS;
  return [
    ...title.slice(0, -1).map((line) => color.bold(line)),
    fits ? `${color.bold(last)}${color.dim(others)}` : color.bold(last),
    ...(fits ? [] : [`${indent} ${color.dim(others)}`]),
  ];
}

function traceOf({ steps }: UnitDecision): readonly TraceStep[] {
  const end = steps.findIndex(({ effect }) => effect === "decides");
  return end < 0 ? steps.filter(({ effect }) => effect !== "after") : steps.slice(0, end + 1);
}

function unitLines(unit: UnitDecision, context: Context): readonly string[] {
  const { color, indent } = context;
  const after = unit.steps.filter(({ effect }) => effect === "after");
  return [
    ...traceOf(unit).flatMap((step) => stepLines(step, { ...context, unit })),
    ...(unit.rule === null && unit.check === undefined ? endLines(unit, context) : []),
    ...(after.length === 0
      ? []
      : ["", `${indent}${color.bold("Shadowed here: later rules that would have matched")}`]),
    ...after.flatMap((step) => stepLines(step, { ...context, unit })),
    ...effectLines(unit, context),
  ];
}

/** The lines after the trace: a safety check, and the effect of the mode on the unit. */
function effectLines(
  { action, decision, decidedBy, check }: UnitDecision,
  { explanation, color, indent }: Context,
): readonly string[] {
  const byFlag = decidedBy === "headless" || decidedBy === "auto-allow" || decidedBy === "safety";
  const { mode } = explanation.decision;
  return [
    ...(check === undefined ? [] : indented(`safety check: ${visible(check)}`, `${indent}  `)),
    ...(action === decision || byFlag || mode === "disabled"
      ? []
      : [`${indent}  mode ${mode}: ${painted(decision, color)}`]),
  ];
}

/** The end of a trace in which no rule decides. */
function endLines(unit: UnitDecision, { explanation, color, indent }: Context): readonly string[] {
  const isPlain = unit.kind === "call" || unit.kind === "command";
  if (unit.action === "ask" && (isPlain || explanation.decision.units.length === 1)) {
    return [`${indent}  ${color.yellow("no rule matches")}: ask`];
  }
  const [first = "", ...rest] = indented(
    `${unit.action}: ${visible(unit.reason)}`,
    `${indent}  `,
  );
  const action = painted(unit.action, color);
  return [first.replace(unit.action, action), ...rest];
}

function stepLines(
  step: TraceStep,
  { color, explanation, indent, unit }: Context & { readonly unit: UnitDecision },
): readonly string[] {
  const { rule } = step;
  const below = indent + BELOW;
  const plainPlace = placeText(rule.source, explanation.folders);
  const place = color.dim(plainPlace);
  const pattern = visible(rule.pattern);
  const action = `${painted(rule.action, color)}${" ".repeat(6 - rule.action.length)}`;
  const number = String(rule.index).padStart(3);
  const head = `${indent}  ${number} ${markOf(step, color)} ${action}${pattern}`;
  const why = step.effect === "expired" ? expiry(step) : remarkOf(step, unit);
  const gap = Math.max(2, 26 - indent.length - textWidth(pattern));
  const fits = below.length + textWidth(pattern) + gap + textWidth(plainPlace) <= COLUMNS;
  return [
    ...(fits ? [`${head}${" ".repeat(gap)}${place}`] : [head, `${below}${place}`]),
    ...(why === "" ? [] : indented(why, below)),
    ...(rule.comment === undefined || step.match !== "yes"
      ? []
      : indented(`comment: ${visible(rule.comment)}`, below)),
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
      return "matches: it asks, unless a rule below is stricter, since its workspace is not trusted";
    case "answers":
      return "matches: it answers the question that the rules below end in";
    case "raises":
      return `cannot be evaluated: ${
        visible(step.why)
      }; so the call is not allowed without a question`;
    case "passes":
      return step.ofOthers ? "" : visible(step.why);
    case "expired":
      return visible(step.why);
  }
}

function expiry(step: TraceStep): string {
  return `expired at ${new Date(step.rule.expiresAt ?? 0).toISOString()}: no longer counts`;
}

function markOf(step: TraceStep, color: Color): string {
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
