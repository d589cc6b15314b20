import type { Closed } from "../../suggest/asked_call.ts";
import { cut } from "../../text/call_text.ts";
import type { TextStyle } from "../color.ts";
import { columnsOf, indented, paragraph } from "../layout.ts";
import type { ShownCall, Suggestion, SuggestionsReport } from "./suggestions_report.ts";
import { ownToolsToml } from "./own_tools_text.ts";
import { visible } from "../../text/visible.ts";

const INDENT = "  ";
const LABEL = 9;

/** Faults shown; `--json` has all. */
const REFUSED = 10;

/** The report for a person, ending in a newline; nothing of what was recorded is printed raw. */
export function suggestionsText(report: SuggestionsReport, color: TextStyle): string {
  const blocks = [
    headLines(report, color),
    ...report.suggestions.map((each, at) => suggestionLines(each, { at, color })),
    classLines(report, color),
    ownLines(report, color),
    refusedLines(report, color),
    closedLines(report, color),
    cautionLines(report, color),
  ];
  return blocks.filter((lines) => lines.length > 0)
    .map((lines) => lines.join("\n") + "\n").join("\n");
}

function headLines(report: SuggestionsReport, color: TextStyle): readonly string[] {
  const { calls, asks, answered, suggestions } = report;
  const seen = `${counted(calls, "call")}, ${amount(asks)} of ${calls === 1 ? "it" : "them"} asked`;
  if (asks === 0) return indented(`${seen}: nothing to suggest`, "", color);
  if (suggestions.length === 0) return indented(`${seen}: no rule is worth suggesting`, "", color);
  const rules = suggestions.length === 1 ? "This rule" : `These ${suggestions.length} rules`;
  const part = `${amount(answered)} of ${amount(asks)} (${percentOf(answered, asks)})`;
  return indented(`${seen}. ${rules} would answer ${part}:`, "", color).map((line) =>
    color.bold(line)
  );
}

/** Rounded down, so that what is not all is never 100 %. */
function percentOf(part: number, whole: number): string {
  const percent = Math.floor(part * 100 / whole);
  return part > 0 && percent === 0 ? "under 1 %" : `${percent} %`;
}

function suggestionLines(
  { pattern, answers, examples, alsoAllows, command }: Suggestion,
  { at, color }: { readonly at: number; readonly color: TextStyle },
): readonly string[] {
  return [
    `${at + 1}. ${color.green("allow")} ${color.bold(visible(pattern))}  ${
      color.dim(counted(answers, "ask"))
    }`,
    ...callLines("answers", { calls: examples, color }),
    ...(alsoAllows.length === 0
      ? [`${INDENT} ${color.cyan("also".padEnd(LABEL))}no other call found`]
      : callLines("also", { calls: alsoAllows, color })),
    `${INDENT} ${color.cyan("add".padEnd(LABEL))}${visible(command)}`,
  ];
}

/** The rules for classes. A person should read what else they allow before taking one. */
function classLines({ classes }: SuggestionsReport, color: TextStyle): readonly string[] {
  if (classes.length === 0) return [];
  return [
    ...headingLines("By class, which allows more; try one for a session first:", color),
    ...classes.flatMap(({ pattern, answers, examples, also, command }) => [
      `${INDENT}${color.green("allow")} ${color.bold(visible(pattern))}  ${
        color.dim(counted(answers, "ask"))
      }`,
      ...callLines("answers", { calls: examples, color }),
      ...alsoLines(also, color),
      `${INDENT} ${color.cyan("add".padEnd(LABEL))}${visible(command)}`,
    ]),
  ];
}

function headingLines(text: string, color: TextStyle): readonly string[] {
  return indented(text, "", color).map((line) => color.bold(line));
}

function alsoLines(also: readonly string[], color: TextStyle): readonly string[] {
  const indent = " ".repeat(INDENT.length + 1 + LABEL);
  const [first = "", ...rest] = paragraph(visible(also.join(", ")), {
    indent,
    columns: color.columns ?? Infinity,
  });
  return [`${INDENT} ${color.cyan("also".padEnd(LABEL))}${first.slice(indent.length)}`, ...rest];
}

/** Lines for programs that no table describes. */
function ownLines({ own }: SuggestionsReport, color: TextStyle): readonly string[] {
  const lines = ownToolsToml(own, columnsOf(color) - INDENT.length);
  return lines.length === 0 ? [] : [
    ...headingLines(
      "Your own tools, which no table describes; keep the lines that are true:",
      color,
    ),
    ...lines.map((line) => `${INDENT}${line}`),
  ];
}

function callLines(
  label: string,
  { calls, color }: { readonly calls: readonly ShownCall[]; readonly color: TextStyle },
): readonly string[] {
  return calls.map(({ text }, at) => {
    const head = at === 0 ? color.cyan(label.padEnd(LABEL)) : " ".repeat(LABEL);
    return `${INDENT} ${head}${cut(text, columnsOf(color) - LABEL - INDENT.length - 1)}`;
  });
}

function refusedLines({ refused }: SuggestionsReport, color: TextStyle): readonly string[] {
  if (refused.length === 0) return [];
  const more = refused.length - REFUSED;
  return [
    color.bold("Not suggested:"),
    ...refused.slice(0, REFUSED).flatMap(({ pattern, asks, id, why }) => [
      `${INDENT}${visible(pattern)}  ${color.dim(counted(asks, "ask"))}`,
      ...indented(`${id}: ${visible(why)}`, INDENT + INDENT, color),
    ]),
    ...(more > 0 ? [`${INDENT}and ${more} more; --json prints all of them`] : []),
  ];
}

const CLOSED_TEXT: Readonly<Record<Closed, string>> = {
  refused: "a person denied the call",
  safety: "a safety check asks",
  written: "an ask rule names the call",
  managed: "a managed rule asks",
  unknown: "the call cannot be analysed",
  "no-pattern": "only a long verbatim text would match",
};

function closedLines(report: SuggestionsReport, color: TextStyle): readonly string[] {
  const { asks, answered, closed } = report;
  const rest = asks - answered - [...closed.values()].reduce((sum, count) => sum + count, 0);
  const some = [
    ...[...closed].map(([why, count]) => [CLOSED_TEXT[why], count] as const),
    ["others: too rare, beyond --max or --cover, or rejected above", rest] as const,
  ].filter(([, count]) => count > 0);
  if (some.length === 0) return [];
  const width = Math.max(...some.map(([, count]) => amount(count).length));
  return [
    color.bold("Asks without a suggestion:"),
    ...some.flatMap(([text, count]) => {
      const indent = " ".repeat(INDENT.length + width + 2);
      const [first = "", ...rest] = indented(text, indent, color);
      return [
        `${INDENT}${amount(count).padStart(width)}${first.slice(INDENT.length + width)}`,
        ...rest,
      ];
    }),
  ];
}

function cautionLines(report: SuggestionsReport, color: TextStyle): readonly string[] {
  const { inexact, badLines, notKept, dropped } = report;
  const cautions = [
    ...(inexact > 0 ? [`${counted(inexact, "call")} ignored: incomplete in the record`] : []),
    ...(badLines > 0 ? [`${counted(badLines, "line")} ignored: they cannot be read`] : []),
    ...(notKept > 0
      ? [
        `${
          counted(notKept, "call")
        } from standard input did not fit in memory: the counts of the ` +
        "rules omit them, and files are counted in full",
      ]
      : []),
    ...(dropped > 0
      ? [`${counted(dropped, "rare ask")} counted only in total: there are too many kinds`]
      : []),
  ];
  return cautions.flatMap((text) =>
    indented(text, INDENT, color).map((line, at) =>
      at === 0 ? `${color.yellow("!")} ${line.trimStart()}` : line
    )
  );
}

function counted(count: number, noun: string): string {
  return `${amount(count)} ${noun}${count === 1 ? "" : "s"}`;
}

/** `1,234,567`. */
function amount(count: number): string {
  return String(count).replace(/\B(?=(?:\d{3})+$)/g, ",");
}
