import type { Uncompared } from "../../analysis/analysis.ts";
import type { TextStyle } from "../color.ts";
import { cut } from "../../text/call_text.ts";
import {
  counted,
  countEffects,
  type DiffGroup,
  type DiffReport,
  type Effect,
  rulePlace,
  type SideVerdict,
} from "./diff_report.ts";
import type { SettingChange } from "./diff_settings.ts";
import { columnsOf, indented, labelled } from "../layout.ts";
import { type Folders, pathText } from "../place_text.ts";
import { textWidth, visible } from "../../text/visible.ts";

/** The report for a person; ends in a newline. */
export function diffText(report: DiffReport, color: TextStyle): string {
  const { groups, settings, unknown, folders } = report;
  const blocks = [
    headLines(report, color),
    ...settings.map((change) => settingLines(change, { color, folders })),
    ...groups.map((group) => groupLines(group, { color, folders })),
    ...(unknown.length === 0 ? [] : [unknownLines(unknown, color)]),
  ];
  return blocks.map((lines) => lines.join("\n") + "\n").join("\n");
}

function headLines(report: DiffReport, color: TextStyle): readonly string[] {
  const [old, now] = [visible(report.old), visible(report.new)];
  const { loosened, tightened, unclear } = countEffects(report);
  if (loosened + tightened + unclear === 0) {
    const text = report.unknown.length === 0
      ? `"${old}" and "${now}" decide every call the same way.`
      : `Found no difference between "${old}" and "${now}".`;
    return labelled(text, { text: "", painted: "", indent: 0, columns: color.columns }).map((
      line,
    ) => line.trimStart());
  }
  const parts = [
    ...(report.groups.length === 0 ? [] : [counted(report.groups.length, "group") + " of calls"]),
    ...(report.settings.length === 0 ? [] : [counted(report.settings.length, "setting")]),
  ];
  const verb = report.groups.length + report.settings.length === 1 ? "differs" : "differ";
  const sentence = `${parts.join(" and ")} ${verb} from "${old}" to "${now}": ` +
    `${loosened} loosened, ${tightened} tightened${unclear === 0 ? "" : `, ${unclear} unclear`}.`;
  return labelled(sentence, { text: "", painted: "", indent: 0, columns: color.columns })
    .map((line) => color.bold(line.trimStart()));
}

interface Style {
  readonly color: TextStyle;
  readonly folders: Folders;
}

function groupLines(group: DiffGroup, style: Style): readonly string[] {
  const { effect, from, command, was, now } = group;
  const { color } = style;
  return [
    `${painted(effect, color)}: was ${was.action}, now ${now.action}${from ? ` from ${from}` : ""}`,
    `  ${color.bold(visible(command))}`,
    ...sideLines("was", { side: was, ...style }),
    ...sideLines("now", { side: now, ...style }),
  ];
}

/** The rule in one line with its place, or in two where that is too long. */
function sideLines(
  when: "was" | "now",
  { side: { action, rule }, color, folders }: Style & { readonly side: SideVerdict },
): readonly string[] {
  const head = `  ${when}  ${action.padEnd(5)}  `;
  if (rule === null) return [`${head}no rule matches`];
  const pattern = visible(rule.pattern);
  const place = rulePlace(rule, folders);
  const shown = color.dim(place);
  return head.length + pattern.length + 2 + place.length <= columnsOf(color)
    ? [`${head}${pattern}  ${shown}`]
    : [`${head}${pattern}`, `${" ".repeat(head.length)}${shown}`];
}

/** A longer value is cut, in columns; the JSON has all of it. */
const LONGEST = 60;

function settingLines(change: SettingChange, { color, folders }: Style): readonly string[] {
  const { name, effect, was, now, wasAt, nowAt } = change;
  const columns = columnsOf(color);
  const line = (when: string, value: string, at: SettingChange["wasAt"]) => {
    const text = `  ${when}  ${cut(visible(value), Math.min(LONGEST, columns - 7))}`;
    if (at === undefined) return [text];
    const place = `${pathText(at.path, folders)}:${at.line}:${at.column}`;
    return color.columns === undefined || textWidth(text) + 2 + place.length <= columns
      ? [`${text}  ${color.dim(place)}`]
      : [text, `       ${color.dim(place)}`];
  };
  return [
    `${painted(effect, color)}: ${name}`,
    ...line("was", was, wasAt),
    ...line("now", now, nowAt),
  ];
}

function painted(effect: Effect, color: TextStyle): string {
  switch (effect) {
    case "loosened":
      return color.red(effect);
    case "tightened":
      return color.green(effect);
    case "unclear":
      return color.yellow(effect);
  }
}

function unknownLines(unknown: readonly Uncompared[], color: TextStyle): readonly string[] {
  return [
    color.yellow("not compared exactly:"),
    ...unknown.flatMap(({ text }) => {
      const [first = "", ...rest] = indented(visible(text), "    ", color);
      return [`  - ${first.trimStart()}`, ...rest];
    }),
  ];
}
