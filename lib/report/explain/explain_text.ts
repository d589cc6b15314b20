import { strictestOf } from "../../decide/precedence.ts";
import type { Decision, UnitDecision } from "../../model/verdict.ts";
import type { SourceEntry } from "../../model/rule.ts";
import { callText, cut, unitText } from "../../text/call_text.ts";
import type { Color } from "../color.ts";
import { decidedByText, LEFT_TO_AGENT, painted } from "../decision_text.ts";
import { paragraph } from "../layout.ts";
import { headLine, shortText } from "./explain_short.ts";
import type { ExplainStyle } from "./explain_style.ts";
import { traceLines } from "./explain_trace.ts";
import { type Explanation, rulesOf } from "./explanation.ts";
import { suggestionLines } from "./suggestion_lines.ts";
import { pathText } from "../place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";

/** An explanation for people, as wide as its style but for long patterns, paths and commands, ending in a newline. */
export function explainText(explanation: Explanation, style: ExplainStyle): string {
  return style.view === "short" ? shortText(explanation, style) : traceText(explanation, style);
}

/** Every source and every rule, below the decision and the call. */
function traceText(explanation: Explanation, style: ExplainStyle): string {
  const { folders, sources } = explanation;
  const { color, columns } = style;
  const lines = [
    ...callLines(explanation, style),
    color.dim(`  in ${visible(explanation.cwd)}, workspace ${visible(folders.workspace)}`),
    "",
    color.bold("Sources, highest first"),
    ...sources.entries.map((entry) => sourceLine(entry, { explanation, color })),
    ...sources.notices.flatMap(({ message }) =>
      paragraph(`! ${visible(message)}`, { indent: "  ", columns })
    ),
    ...traceLines(explanation, style),
    "",
    ...outcome(explanation, style),
  ];
  return lines.join("\n") + "\n";
}

/** The decision and the call, and below it the whole call where it is longer than a line. */
function callLines(explanation: Explanation, style: ExplainStyle): readonly string[] {
  const { call, decision } = explanation;
  const text = callText(call, decision.units);
  const isCut = textWidth(text) + "allow  ".length > style.columns;
  return [
    headLine(explanation, style),
    ...(isCut ? paragraph(text, { indent: "       ", columns: style.columns }) : []),
  ];
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

function outcome(
  { decision, modeFrom, flags, asked, remedy, remedies }: Explanation,
  style: ExplainStyle,
): readonly string[] {
  const { verdict } = decision;
  const { color, columns } = style;
  const below = (text: string, indent = " ".repeat(10)) => paragraph(text, { indent, columns });
  return [
    `${color.bold("Verdict")}   ${painted(verdict.action, color)}${
      verdict.by === "safety" ? " (a safety check)" : ""
    }${unitNumber(decision)}`,
    ...below(visible(verdict.reason)),
    `${color.bold("Mode")}      ${decision.mode}${modeEffect(decision)}`,
    ...(modeFrom === undefined ? [] : below(`from ${visible(modeFrom)}`)),
    ...(decision.opinion === undefined ? [] : below(`auto mode: ${visible(decision.opinion)}`)),
    ...flags.flatMap((flag) => below(flag)),
    `${color.bold("Decision")}  ${painted(decision.decision, color)}${
      decision.decision === verdict.action ? "" : `: ${decidedByText(decision)}`
    }`,
    ...(decision.leftToAgent ? below(LEFT_TO_AGENT) : []),
    ...decision.warnings.flatMap((warning) =>
      below(`${color.yellow("warning:")} ${visible(warning)}`, "")
    ),
    "",
    ...askedLines({ decision, asked }, style),
    ...suggestionLines({ decision, remedy, remedies }, { ...style, rows: Infinity }),
  ];
}

/** The effect of the mode on the units; empty for the mode `disabled`, whose flag explains it. */
function modeEffect({ mode, units }: Decision): string {
  if (mode === "disabled") return "";
  const changed = units.filter(({ action, decision, decidedBy, check }) =>
    check === undefined && action !== decision && decidedBy !== "headless" &&
    decidedBy !== "auto-allow"
  );
  if (changed.length === 0) return ": changes nothing";
  if (units.length === 1) return `: ${changed[0]!.action} becomes ${changed[0]!.decision}`;
  const numbers = changed.map((unit) => units.indexOf(unit) + 1);
  return `: changes unit${numbers.length === 1 ? "" : "s"} ${numbers.join(", ")}`;
}

/** The number of the unit that determines the verdict; empty if all units are allowed. */
function unitNumber({ verdict: { action, units } }: Decision): string {
  if (units.length === 1 || action === "allow") return "";
  return `, by unit ${units.indexOf(strictestOf(units, (unit) => unit)) + 1}`;
}

/** Every unit that asks, with its own reason and rule; nothing where it is only one. */
function askedLines(
  { decision: { units, verdict }, asked }: Pick<Explanation, "decision" | "asked">,
  { color, columns }: ExplainStyle,
): readonly string[] {
  if (asked.length === 0) return [];
  const shown = asked.slice(0, MOST_ASKED);
  const more = asked.length - shown.length;
  return [
    color.bold(`Asked about: ${asked.length} of ${units.length} units`),
    ...shown.flatMap(({ unit: index, pattern }) => {
      const unit = units[index]!;
      const label = `  unit ${index + 1}: `;
      const box = { indent: " ".repeat(label.length), columns };
      const { check } = unit;
      return [
        `${label}${cut(unitText(unit), columns - label.length)}`,
        ...paragraph(
          // A unit of a safety check may have none in the verdict.
          check === undefined
            ? visible(verdict.units[index]!.reason)
            : `safety check: ${visible(check)}`,
          box,
        ),
        ...paragraph(wayText(unit, pattern), box),
      ];
    }),
    ...(more === 0 ? [] : [`  and ${more} more`]),
    "",
  ];
}

function wayText({ rule }: UnitDecision, pattern: string | undefined): string {
  if (pattern === undefined) return "no rule is suggested for it";
  const isWritten = rule !== null && rule.source.kind !== "builtin";
  return `allowed by ${visible(pattern)}${isWritten ? ` above rule ${rule.index}` : ""}`;
}

/** The most units that are listed; the trace has them all. */
const MOST_ASKED = 12;
