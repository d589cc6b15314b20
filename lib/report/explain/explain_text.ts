import { strictestOf } from "../../decide/precedence.ts";
import type { Decision, UnitDecision } from "../../model/verdict.ts";
import type { SourceEntry } from "../../model/rule.ts";
import { callText, cut, unitText } from "../../text/call_text.ts";
import type { Color } from "../color.ts";
import { decidedByText, indented, LEFT_TO_AGENT, painted } from "../decision_text.ts";
import { COLUMNS } from "../layout.ts";
import { traceLines } from "./explain_trace.ts";
import { type Explanation, rulesOf } from "./explanation.ts";
import { pathText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";

/** An explanation for people, at most 80 columns but for long patterns and paths, ending in a newline. */
export function explainText(explanation: Explanation, color: Color): string {
  const { call, decision, folders } = explanation;
  const lines = [
    ...indented(callText(call, decision.units), "").map((line) => color.bold(line)),
    color.dim(`  in ${visible(explanation.cwd)}, workspace ${visible(folders.workspace)}`),
    "",
    color.bold("Sources, highest first"),
    ...explanation.sources.entries.map((entry) => sourceLine(entry, { explanation, color })),
    ...explanation.sources.notices.flatMap(({ message }) =>
      indented(`! ${visible(message)}`, "  ")
    ),
    ...traceLines(explanation, color),
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

function outcome(
  { decision, modeFrom, flags, asked, remedy }: Explanation,
  color: Color,
): readonly string[] {
  const { verdict } = decision;
  return [
    `${color.bold("Verdict")}   ${painted(verdict.action, color)}${
      verdict.by === "safety" ? " (a safety check)" : ""
    }${unitNumber(decision)}`,
    ...indented(visible(verdict.reason), "          "),
    `${color.bold("Mode")}      ${decision.mode}${modeEffect(decision)}`,
    ...(modeFrom === undefined ? [] : indented(`from ${visible(modeFrom)}`, "          ")),
    ...(decision.opinion === undefined
      ? []
      : indented(`auto mode: ${visible(decision.opinion)}`, "          ")),
    ...flags.flatMap((flag) => indented(flag, "          ")),
    `${color.bold("Decision")}  ${painted(decision.decision, color)}${
      decision.decision === verdict.action ? "" : `: ${decidedByText(decision)}`
    }`,
    ...(decision.leftToAgent ? indented(LEFT_TO_AGENT, "          ") : []),
    ...decision.warnings.flatMap((warning) =>
      indented(`${color.yellow("warning:")} ${visible(warning)}`, "")
    ),
    "",
    ...askedLines({ decision, asked }, color),
    ...remedyLines({ decision, remedy }, color),
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

/** The action before flags answer questions. */
function beforeFlags({ decision, decidedBy }: Decision): string {
  return decidedBy === "headless" || decidedBy === "auto-allow" ? "ask" : decision;
}

/** Every unit that asks, with its own reason and rule; nothing where it is only one. */
function askedLines(
  { decision: { units, verdict }, asked }: Pick<Explanation, "decision" | "asked">,
  color: Color,
): readonly string[] {
  if (asked.length === 0) return [];
  const shown = asked.slice(0, MOST_ASKED);
  const more = asked.length - shown.length;
  return [
    color.bold(`Asked about: ${asked.length} of ${units.length} units`),
    ...shown.flatMap(({ unit: index, pattern }) => {
      const unit = units[index]!;
      const label = `  unit ${index + 1}: `;
      const below = " ".repeat(label.length);
      const { check } = unit;
      return [
        `${label}${cut(unitText(unit), COLUMNS - label.length)}`,
        ...indented(
          // A unit of a safety check may have none in the verdict.
          check === undefined
            ? visible(verdict.units[index]!.reason)
            : `safety check: ${visible(check)}`,
          below,
        ),
        ...indented(wayText(unit, pattern), below),
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

function remedyLines(
  { decision, remedy }: Pick<Explanation, "decision" | "remedy">,
  color: Color,
): readonly string[] {
  if (remedy === null) {
    return ["No suggestion: no rule in your files would change only this call."];
  }
  const article = remedy.action === "allow" || remedy.action === "ask" ? "an" : "a";
  const command = visible(remedy.command);
  return [
    `The narrowest rule that turns this ${beforeFlags(decision)} into ${article} ${remedy.action}:`,
    `  ${color.cyan(command)}`,
    ...(command === remedy.command
      ? []
      : ["  (hidden characters are shown as \\u{…}: do not paste it)"]),
  ];
}
