import { ACTIONS, COMMAND_CLASSES } from "../../model/call.ts";
import type { Rule } from "../../model/rule.ts";
import type {
  ActionAndRule,
  AskGroup,
  Bounded,
  CallCount,
  ChangeGroup,
  ClassCounts,
  RuleUse,
} from "../../suite/replay_report.ts";
import { cut } from "../../text/call_text.ts";
import type { TextStyle } from "../color.ts";
import { painted } from "../decision_text.ts";
import { counted, effectOf, rulePlace } from "../diff/diff_report.ts";
import { columnsOf, labelled } from "../layout.ts";
import type { ReplaySummary } from "./replay_summary.ts";
import { visible } from "../../text/visible.ts";

/** Lines of each list; the JSON report has all of them. */
const SHOWN = 20;

/** The replay for a person; ends in a newline. */
export function replayText(summary: ReplaySummary, color: TextStyle): string {
  const { report: { rules, unused, classes, asks, changes, since }, against = "" } = summary;
  const show = { summary, color };
  const blocks = [
    headLines(summary, color),
    ...(rules.length === 0 ? [] : [ruleLines(rules, show)]),
    ...(unused.length === 0 ? [] : [unusedLines(unused, show)]),
    ...(Object.keys(classes).length === 0 ? [] : [classLines(classes, color)]),
    ...(asks.groups.length === 0 ? [] : [askLines(asks, show)]),
    ...(changes === undefined ? [] : [
      changeLines(changes, {
        ...show,
        title: `changes from "${visible(against)}" to the current policy`,
      }),
    ]),
    ...(since === undefined || since.groups.length === 0 ? [] : [
      changeLines(since, {
        ...show,
        title: "verdicts that differ from the recorded ones",
      }),
    ]),
  ];
  return blocks.map((lines) => lines.join("\n") + "\n").join("\n");
}

interface Show {
  readonly summary: ReplaySummary;
  readonly color: TextStyle;
}

function headLines({ report, read, mode }: ReplaySummary, color: TextStyle): readonly string[] {
  const { all, decisions } = report;
  const width = number(all.calls).length;
  const row = (count: CallCount, text: string) =>
    `  ${number(count.calls).padStart(width)}  ${text}${inexactText(count)}`;
  const under = mode === "default" ? "" : ` under ${mode}`;
  return [
    color.bold(`${number(all.calls)} ${all.calls === 1 ? "call" : "calls"}${under}`),
    ...ACTIONS.toReversed().map((action) => row(decisions[action], painted(action, color))),
    ...(all.inexact === 0 ? [] : sentence(
      `${number(all.inexact)} ${all.inexact === 1 ? "call is" : "calls are"} incomplete in the ` +
        `record (masked or cut): the original ${
          all.inexact === 1 ? "call" : "calls"
        } may be decided differently.`,
      color,
    )),
    ...(read.passed === 0 ? [] : sentence(`${lines(read.passed)} without a call.`, color)),
    ...(read.bad === 0 ? [] : sentence(`${lines(read.bad)} cannot be read.`, color)),
  ];
}

function sentence(text: string, { columns }: TextStyle): readonly string[] {
  return labelled(text, { text: " ", painted: " ", indent: 2, columns });
}

function lines(count: number): string {
  return `${number(count)} line${count === 1 ? "" : "s"}`;
}

function ruleLines(rules: readonly RuleUse[], { summary, color }: Show): readonly string[] {
  const width = number(rules[0]?.calls ?? 0).length;
  return [
    color.bold("rules by the number of calls they decided"),
    ...rules.slice(0, SHOWN).flatMap(({ rule, ...count }) => {
      const head = `  ${number(count.calls).padStart(width)}  `;
      return rule === null
        ? [`${head}no rule matches${inexactText(count)}`]
        : ruleLine(rule, { head, tail: inexactText(count), summary, color });
    }),
    ...more(rules.length),
  ];
}

interface Line extends Show {
  readonly head: string;
  readonly tail?: string;
}

/** A rule in one line with its place, or in two where that is too long. */
function ruleLine(rule: Rule, { head, tail = "", summary, color }: Line): readonly string[] {
  const pattern = visible(rule.pattern);
  const place = rulePlace(rule, summary.folders);
  const start = `${head}${painted(rule.action, color)}${" ".repeat(7 - rule.action.length)}`;
  const columns = head.length + 7;
  const shown = color.dim(place);
  return columns + pattern.length + 2 + place.length + tail.length <= columnsOf(color)
    ? [`${start}${pattern}  ${shown}${tail}`]
    : [`${start}${pattern}${tail}`, `${" ".repeat(columns)}${shown}`];
}

function unusedLines(rules: readonly Rule[], { summary, color }: Show): readonly string[] {
  return [
    color.bold(`${counted(rules.length, "rule")} decided nothing`),
    ...rules.slice(0, SHOWN).flatMap((rule) => ruleLine(rule, { head: "  ", summary, color })),
    ...more(rules.length),
  ];
}

/** A table of the commands by class and decision. */
function classLines(classes: ClassCounts, color: TextStyle): readonly string[] {
  const rows = COMMAND_CLASSES.flatMap((name) => {
    const counts = classes[name];
    if (counts === undefined) return [];
    return [[`@${name}`, ...ACTIONS.toReversed().map((action) => number(counts[action]))]];
  });
  const table = [["", ...ACTIONS.toReversed()], ...rows];
  const widths = table[0]!.map((_, at) => Math.max(...table.map((row) => row[at]!.length)));
  return [
    color.bold("commands by class; one of several classes counts in each"),
    ...table.map(([name = "", ...counts]) =>
      `  ${name.padEnd(widths[0]!)}${
        counts.map((count, at) => `  ${count.padStart(widths[at + 1]!)}`).join("")
      }`
    ),
  ];
}

function askLines(
  { groups, others }: Bounded<AskGroup>,
  { summary, color }: Show,
): readonly string[] {
  const width = number(groups[0]?.calls ?? 0).length;
  return [
    color.bold("most frequent asks, with an example of each"),
    ...groups.slice(0, SHOWN).flatMap(({ pattern, example, ...count }) => [
      `  ${number(count.calls).padStart(width)}  ${
        pattern === undefined
          ? "lines that cannot be analysed"
          : shortened(pattern, columnsOf(color) - width - 4)
      }${inexactText(count)}`,
      ...exampleLines({ example }, { indent: width + 4, summary, color }),
    ]),
    ...more(groups.length, others),
  ];
}

function changeLines(
  { groups, others }: Bounded<ChangeGroup>,
  { summary, color, title }: Show & { readonly title: string },
): readonly string[] {
  if (groups.length === 0) return [color.bold(title), "  nothing"];
  return [
    color.bold(title),
    ...groups.slice(0, SHOWN).flatMap((group) => changeBlock(group, { summary, color })),
    ...more(groups.length, others),
  ];
}

function changeBlock(group: ChangeGroup, show: Show): readonly string[] {
  const { was, now, example } = group;
  const effect = effectOf(was.action, now.action);
  const mark = effect === "loosened" ? show.color.red(effect) : show.color.green(effect);
  const head = `  ${mark}: was ${was.action}, now ${now.action}: ` +
    `${number(group.calls)} ${group.calls === 1 ? "call" : "calls"}${inexactText(group)}`;
  return [
    head,
    ...exampleLines({ example }, { indent: 4, ...show }),
    ...sideLines("was", was, show),
    ...sideLines("now", now, show),
  ];
}

function sideLines(when: string, { rule }: ActionAndRule, show: Show): readonly string[] {
  if (rule === undefined) return [];
  return rule === null
    ? [`    ${when}  no rule matches`]
    : ruleLine(rule, { head: `    ${when}  `, ...show });
}

function exampleLines(
  { example }: Pick<AskGroup, "example"> | { readonly example: undefined },
  { indent, summary, color }: Show & { readonly indent: number },
): readonly string[] {
  if (example === undefined) return [];
  return [`${" ".repeat(indent)}${color.dim(visible(summary.command(example)))}`];
}

function shortened(pattern: string, room: number): string {
  return cut(visible(pattern), room);
}

function inexactText({ inexact }: CallCount): string {
  return inexact === 0 ? "" : ` (${number(inexact)} incomplete)`;
}

function more(count: number, others = 0): readonly string[] {
  const left = count - SHOWN;
  return [
    ...(left > 0 ? [`  and ${number(left)} more; --json prints all of them`] : []),
    ...(others > 0 ? [`  and ${number(others)} calls in groups that did not fit`] : []),
  ];
}

/** A whole number with commas: `1,000,000`. */
function number(value: number): string {
  return `${value}`.replace(/\B(?=(?:\d{3})+$)/g, ",");
}
