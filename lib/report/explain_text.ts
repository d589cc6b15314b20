import type { Step } from "../model/verdict.ts";
import type { UnitDecision } from "../model/decision.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import { callText } from "./call_text.ts";
import type { Color } from "./color.ts";
import { decidedByText, indented, painted } from "./decision_text.ts";
import { type Explanation, rulesOf } from "./explanation.ts";
import { pathText, placeText } from "./place_text.ts";
import { visible } from "./visible.ts";
import { textWidth } from "./width.ts";

/** An explanation for people, at most 80 columns but for long patterns and paths, ending in a newline. */
export function explainText(explanation: Explanation, color: Color): string {
  const { call, decision, folders } = explanation;
  const lines = [
    ...indented(callText(call, decision.units[0]!), "").map((line) => color.bold(line)),
    color.dim(`  in ${visible(explanation.cwd)}, workspace ${visible(folders.workspace)}`),
    "",
    color.bold("Sources, highest first"),
    ...explanation.sources.entries.map((entry) => sourceLine(entry, { explanation, color })),
    ...explanation.sources.notices.flatMap(({ message }) =>
      indented(`! ${visible(message)}`, "  ")
    ),
    ...decision.units.flatMap((unit, index) => unitLines(unit, { index, explanation, color })),
    "",
    ...outcome(explanation, color),
  ];
  return lines.join("\n") + "\n";
}

interface Context {
  readonly explanation: Explanation;
  readonly color: Color;
}

function sourceLine(entry: SourceEntry, { explanation, color }: Context): string {
  const { folders, sources } = explanation;
  const count = rulesOf(entry, sources).length;
  const state = entry.state === "read" ? `${count} rule${count === 1 ? "" : "s"}` : entry.state;
  const note = entry.note === undefined ? "" : ` (${visible(entry.note)})`;
  const kind = entry.kind === "builtin" ? "built-in" : entry.kind;
  const line = `  ${kind.padEnd(9)} ${state.padEnd(9)} ${pathText(entry.path, folders)}${note}`;
  return entry.state === "read" ? line : color.dim(line);
}

function unitLines(unit: UnitDecision, context: Context & { index: number }): readonly string[] {
  const { color, explanation } = context;
  const many = explanation.decision.units.length > 1;
  const via = unit.via === null ? "" : ` (${unit.via})`;
  const title = many
    ? `Unit ${context.index + 1}: ${visible(unit.tool)} ${visible(unit.text)}${via}`
    : "Rules, in order";
  const before = unit.steps.filter(({ effect }) => effect !== "after");
  const end = unit.steps.findIndex(({ effect }) => effect === "decides");
  const walk = end < 0 ? before : unit.steps.slice(0, end + 1);
  const after = unit.steps.filter(({ effect }) => effect === "after");
  return [
    "",
    `${color.bold(title)}${walk.some(({ ofOthers }) => ofOthers) ? color.dim(OTHERS) : ""}`,
    ...walk.flatMap((step) => stepLines(step, { ...context, unit })),
    ...(unit.rule === null ? [`  ${color.yellow("no rule fits")}: ask`] : []),
    ...(after.length === 0
      ? []
      : ["", color.bold("Shadowed here: later rules that would have fit")]),
    ...after.flatMap((step) => stepLines(step, { ...context, unit })),
  ];
}

function stepLines(
  step: Step,
  { color, explanation, unit }: Context & { unit: UnitDecision },
): readonly string[] {
  const { rule } = step;
  const plainPlace = placeText(rule.source, explanation.folders);
  const place = color.dim(plainPlace);
  const pattern = visible(rule.pattern);
  const action = `${painted(rule.action, color)}${" ".repeat(6 - rule.action.length)}`;
  const head = `  ${String(rule.index).padStart(3)} ${markOf(step, color)} ${action}${pattern}`;
  const why = step.effect === "expired" ? expiry(step) : said(step, unit);
  const gap = Math.max(2, 26 - textWidth(pattern));
  const fits = BELOW.length + textWidth(pattern) + gap + textWidth(plainPlace) <= 80;
  return [
    ...(fits ? [`${head}${" ".repeat(gap)}${place}`] : [head, `${BELOW}${place}`]),
    ...(why === "" ? [] : indented(why, BELOW)),
    ...(rule.comment === undefined || step.match !== "yes"
      ? []
      : indented(`comment: ${visible(rule.comment)}`, BELOW)),
  ];
}

const OTHERS = " (those without a remark are about other tools)";

const BELOW = " ".repeat(14);

function said(step: Step, unit: UnitDecision): string {
  switch (step.effect) {
    case "decides":
      if (unit.by === "safety") return "fits: the walk ends, and what is above makes it an ask";
      return step.rule.reason === undefined
        ? "fits: it decides"
        : `fits: it decides; reason: ${visible(step.rule.reason)}`;
    case "after":
      return "";
    case "waits":
      return "fits, but an allow of this source only answers questions";
    case "answers":
      return "fits: it answers the question that the rules below end in";
    case "raises":
      return `cannot be evaluated: ${visible(step.why)}; so the call is not allowed unasked`;
    case "passes":
      return step.ofOthers ? "" : visible(step.why);
    case "expired":
      return visible(step.why);
  }
}

function expiry(step: Step): string {
  return `expired at ${new Date(step.rule.expiresAt ?? 0).toISOString()}: no longer counts`;
}

function markOf(step: Step, color: Color): string {
  switch (step.effect) {
    case "decides":
    case "answers":
      return color.green("→");
    case "raises":
      return color.yellow("?");
    case "after":
    case "waits":
      return "·";
    case "passes":
    case "expired":
      return color.dim("-");
  }
}

function outcome({ decision, flags, remedy }: Explanation, color: Color): readonly string[] {
  const { verdict } = decision;
  return [
    `${color.bold("Verdict")}   ${painted(verdict.action, color)}${
      verdict.by === "safety" ? " (a safety check)" : ""
    }`,
    ...indented(visible(verdict.reason), "          "),
    `${color.bold("Mode")}      ${decision.mode}${
      decision.mode === "default" ? ": changes nothing" : ""
    }`,
    ...flags.flatMap((flag) => indented(flag, "          ")),
    `${color.bold("Decision")}  ${painted(decision.decision, color)}${
      decision.decision === verdict.action ? "" : `: ${decidedByText(decision)}`
    }`,
    ...decision.warnings.flatMap((warning) =>
      indented(`${color.yellow("warning:")} ${visible(warning)}`, "")
    ),
    "",
    ...remedyLines({ decision, remedy }, color),
  ];
}

function remedyLines(
  { decision, remedy }: Pick<Explanation, "decision" | "remedy">,
  color: Color,
): readonly string[] {
  if (remedy === null) {
    return ["No rule is offered: none in a file of yours would change just this call."];
  }
  const article = remedy.action === "allow" || remedy.action === "ask" ? "an" : "a";
  const command = visible(remedy.command);
  return [
    `The narrowest rule that turns this ${decision.verdict.action} into ${article} ${remedy.action}:`,
    `  ${color.cyan(command)}`,
    ...(command === remedy.command
      ? []
      : ["  (shown with \\u{…} for what is hidden: not to be pasted)"]),
  ];
}
