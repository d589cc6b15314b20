import { strictestOf } from "../../decide/precedence.ts";
import type { Decision, UnitDecision } from "../../model/verdict.ts";
import { callText, cut, unitText } from "../../text/call_text.ts";
import { textWidth, visible } from "../../text/visible.ts";
import { PLAIN } from "../color.ts";
import { decidedByText, LEFT_TO_AGENT, painted } from "../decision_text.ts";
import { paragraph, rowsOf } from "../layout.ts";
import { beforeFlags, withOwnReasons } from "./before_flags.ts";
import type { ExplainStyle } from "./explain_style.ts";
import type { Explanation } from "./explanation.ts";
import { type GroundContext, groundLines, groundText } from "./ground_lines.ts";
import { suggestionLines } from "./suggestion_lines.ts";

/** As much as a view shows; the first of `DETAILS` that is short enough is taken. */
interface Detail extends Pick<GroundContext, "most" | "extras"> {
  /** The most lines of a unit that does not decide. */
  readonly unitLines: 1 | 2;
  /** The most units. */
  readonly units: number;
}

const DETAILS: readonly Detail[] = [
  { most: 3, extras: "all", unitLines: 2, units: 16 },
  { most: 2, extras: "all", unitLines: 2, units: 16 },
  { most: 2, extras: "rule", unitLines: 1, units: 16 },
  { most: 1, extras: "rule", unitLines: 1, units: 16 },
  { most: 2, extras: "none", unitLines: 1, units: 16 },
  { most: 1, extras: "none", unitLines: 1, units: 12 },
  { most: 1, extras: "none", unitLines: 1, units: 8 },
  { most: 1, extras: "none", unitLines: 1, units: 4 },
  { most: 1, extras: "none", unitLines: 1, units: 2 },
];

/** The rows for a call with one command, and for a line of ten or more. */
const ROWS = { one: 15, ten: 25 };

interface Drawing extends ExplainStyle {
  readonly explanation: Explanation;
  readonly detail: Detail;
}

/**
 * The decision and the call, the rule that decides it, each unit that asks or is denied, and the rule that would change it; at
 * most 15 rows for one command, 25 for ten. Ends in a newline.
 */
export function shortText(given: Explanation, style: ExplainStyle): string {
  const explanation = withOwnReasons(given);
  const most = mostRows(explanation.decision.units);
  const { columns } = style;
  const detail = DETAILS.find((each) => {
    const lines = shortLines({ ...style, color: PLAIN, explanation, detail: each });
    return rowsOf(lines, columns) <= most;
  }) ?? DETAILS.at(-1)!;
  return shortLines({ ...style, explanation, detail }).join("\n") + "\n";
}

function mostRows(units: readonly UnitDecision[]): number {
  return Math.min(ROWS.ten, ROWS.one + Math.max(0, commandsOf(units).size - 1));
}

/** The commands of a line by their texts. An unknown part counts as one, unless it belongs to one of them. */
function commandsOf(units: readonly UnitDecision[]): ReadonlySet<string> {
  const own = units.filter(({ depth }) => depth === 0);
  const commands = own.filter(({ kind }) => kind === "command").map(({ text }) => text);
  const programs = new Set(commands.map(programOf));
  const unknown = own.filter(({ kind, text }) =>
    kind === "opaque" && !programs.has(programOf(text)) && !/^[\d&]*[<>]/.test(text)
  );
  return new Set([...commands, ...unknown.map(({ text }) => text)]);
}

function programOf(command: string): string | undefined {
  return command.split(/\s/, 1)[0];
}

function shortLines(drawing: Drawing): readonly string[] {
  const { explanation, color, columns, detail } = drawing;
  return [
    headLine(explanation, drawing),
    ...unitLines(drawing),
    ...stageLines(drawing),
    ...(detail.extras === "all" ? [""] : []),
    ...suggestionLines(explanation, { color, columns, rows: 3 }),
    color.dim("Every rule, in order: add --trace."),
  ];
}

/** The decision and the call in one line. */
export function headLine(
  { call, decision }: Explanation,
  { color, columns }: Pick<ExplainStyle, "color" | "columns">,
): string {
  const text = cut(callText(call, decision.units), columns - INDENT.length);
  return `${labelOf(decision.decision, color)}${color.bold(text)}`;
}

const INDENT = "       ";

function labelOf(action: Decision["decision"], color: ExplainStyle["color"]): string {
  return `${painted(action, color)}${" ".repeat(INDENT.length - action.length)}`;
}

/** The unit that decides with all its grounds, then the others in a line or two each. */
function unitLines(drawing: Drawing): readonly string[] {
  const { explanation: { decision }, detail } = drawing;
  const units = shownUnits(decision);
  const decisive = decisiveOf(units);
  if (decision.units.length === 1) return groundLines(decisive, contextOf(INDENT, drawing));
  const others = different(units.filter((unit) => unit !== decisive), decisive);
  const shown = others.slice(0, detail.units - 1);
  const more = others.length - shown.length;
  const rest = decision.units.length - units.length;
  return [
    ...decisiveLines(decisive, drawing),
    ...shown.flatMap((unit) => otherLines(unit, { ...drawing, first: decisive })),
    ...(more === 0 ? [] : [`  and ${more} more`]),
    ...(rest === 0 ? [] : [
      drawing.color.dim(`  ${rest} other unit${rest === 1 ? " is" : "s are"} allowed`),
    ]),
  ];
}

/** The units that stand in the way of an allow; all of them where nothing does. */
function shownUnits({ units, decision, verdict }: Decision): readonly UnitDecision[] {
  const isShown = decision !== "allow"
    ? (unit: UnitDecision) => unit.decision !== "allow"
    : verdict.action !== "allow"
    ? (unit: UnitDecision) => unit.action !== "allow"
    : () => true;
  const shown = units.filter(isShown);
  return shown.length === 0 ? units : shown;
}

/** The strictest of the units; of allowed ones the first that a rule allows. */
function decisiveOf(units: readonly UnitDecision[]): UnitDecision {
  const strictest = strictestOf(units, (unit) => ({
    action: unit.check === undefined || unit.action === "deny" ? unit.action : "ask",
    by: unit.check === undefined ? unit.by : "safety",
    rule: unit.rule,
  }));
  if (strictest.action !== "allow" || strictest.check !== undefined) return strictest;
  return units.find(({ rule }) => rule !== null) ?? strictest;
}

/** The units of different texts, without those of the text of the first. */
function different(units: readonly UnitDecision[], first: UnitDecision): readonly UnitDecision[] {
  const seen = new Set([keyOf(first)]);
  return units.filter((unit) => {
    const key = keyOf(unit);
    return !seen.has(key) && seen.add(key);
  });
}

function keyOf(unit: UnitDecision): string {
  return `${unit.decision} ${unitText(unit)}`;
}

const UNIT_INDENT = `  ${" ".repeat("allow ".length)}`;

function decisiveLines(unit: UnitDecision, drawing: Drawing): readonly string[] {
  const { color, columns } = drawing;
  const text = cut(unitText(unit), columns - UNIT_INDENT.length);
  return [
    `${unitLabel(unit, drawing)}${color.bold(text)}`,
    ...groundLines(unit, contextOf(UNIT_INDENT, drawing)),
  ];
}

/** A unit that does not decide: its text and its ground, cut where they are too long for their lines. */
function otherLines(
  unit: UnitDecision,
  drawing: Drawing & { readonly first: UnitDecision },
): readonly string[] {
  const { explanation: { folders }, columns, detail, first } = drawing;
  const room = columns - UNIT_INDENT.length;
  const whole = groundText(unit, { folders, first, room: Infinity });
  const text = unitText(unit) + classNames(unit);
  const label = unitLabel(unit, drawing);
  if (textWidth(text) + 2 + textWidth(whole) <= room) return [`${label}${text}: ${whole}`];
  if (detail.unitLines === 2) {
    const indent = `${UNIT_INDENT}  `;
    const ground = groundText(unit, { folders, first, room: room - indent.length });
    return [`${label}${cut(text, room)}`, ...paragraph(ground, { indent, columns, most: 1 })];
  }
  const least = Math.floor(room / 3);
  const ground = groundText(unit, { folders, first, room: room - least - 2 });
  const short = cut(unitText(unit), Math.max(room - textWidth(ground) - 2, least));
  return [`${label}${short}: ${cut(ground, room - textWidth(short) - 2)}`];
}

/** The classes that a command which asks or is denied is known to have, by name. */
function classNames({ kind, classes, decision }: UnitDecision): string {
  const names = kind === "command" && decision !== "allow"
    ? classes.filter((name) => name !== "unknown")
    : [];
  return names.length === 0 ? "" : ` (${names.map((name) => `@${name}`).join(" ")})`;
}

function unitLabel(unit: UnitDecision, { color }: Drawing): string {
  const action = beforeFlags(unit);
  return `  ${painted(action, color)}${" ".repeat(UNIT_INDENT.length - 2 - action.length)}`;
}

/** Results beside the rules: the mode or flag that changed the verdict, auto mode's opinion, hooks' silence, and warnings. */
function stageLines(drawing: Drawing): readonly string[] {
  const { explanation: { decision, modeFrom }, color, columns, detail: { most } } = drawing;
  const { decision: end, decidedBy, verdict, opinion, warnings } = decision;
  const from = modeFrom === undefined || decidedBy !== "mode" ? "" : ` (from ${modeFrom})`;
  const sentences = [
    ...(end === verdict.action
      ? []
      : [`the rules alone say ${verdict.action}; ${decidedByText(decision)}${from}`]),
    ...(opinion === undefined ? [] : [`auto mode: ${opinion}`]),
    ...(decision.leftToAgent ? [LEFT_TO_AGENT] : []),
  ];
  return [
    ...sentences.flatMap((text) => paragraph(visible(text), { indent: INDENT, columns, most })),
    ...warnings.slice(0, WARNINGS).flatMap((warning) =>
      paragraph(`warning: ${visible(warning)}`, { indent: "", columns, most: most + 1 })
        .map((line, at) => at === 0 ? line.replace("warning:", color.yellow("warning:")) : line)
    ),
  ];
}

/** The warnings that are shown; the trace has them all. */
const WARNINGS = 2;

function contextOf(indent: string, drawing: Drawing): GroundContext {
  const { explanation, color, columns, detail: { most, extras } } = drawing;
  return { explanation, color, columns, indent, most, extras };
}
