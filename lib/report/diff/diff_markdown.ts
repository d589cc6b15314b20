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
import { cut } from "../../text/call_text.ts";
import { type Folders, pathText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";

/** A comment on GitHub holds 65,536 characters; the end of a longer report is omitted. */
const LONGEST = 60_000;

/** A longer text of a rule or call is cut, in columns. */
const LONGEST_SPAN = 2000;

const MARKS: Readonly<Record<Effect, string>> = {
  loosened: "⚠️ **Loosened**",
  tightened: "**Tightened**",
  unclear: "❔ **May loosen**",
};

/** The report as Markdown for a comment on a pull request; nothing of the user's text is read as Markdown. */
export function diffMarkdown(report: DiffReport): string {
  const { settings, groups, unknown, folders } = report;
  const head = `### Policy: ${headline(report)}\n\n${code(report.old)} → ${code(report.new)}\n`;
  const tail = unknown.length === 0
    ? ""
    : `\n<sub>Not compared exactly:</sub>\n\n${
      unknown.map(({ text }) => `- ${plain(text)}\n`).join("")
    }`;
  const changes = [
    ...settings.map((change) => settingText(change, folders)),
    ...groups.map((group) => groupText(group, folders)),
  ];
  return head + fitting(changes, LONGEST - head.length - tail.length) + tail;
}

/** The number of changes in a few words: `1 loosened, 2 tightened`. */
export function headline(report: DiffReport): string {
  const { loosened, tightened, unclear } = countEffects(report);
  if (loosened + tightened + unclear === 0) {
    return report.unknown.length === 0 ? "no call is decided differently" : "no difference found";
  }
  const parts = [
    ...(loosened > 0 ? [`${loosened} loosened`] : []),
    ...(tightened > 0 ? [`${tightened} tightened`] : []),
    ...(unclear > 0 ? [`${unclear} unclear`] : []),
  ];
  return parts.join(", ");
}

/** The changes that there is room for, and how many more there are. */
function fitting(changes: readonly string[], room: number): string {
  let text = "";
  for (const [index, change] of changes.entries()) {
    if (text.length + change.length > room) {
      const left = counted(changes.length - index, "more change");
      return `${text}\n…and ${left}; \`--format json\` prints all of them.\n`;
    }
    text += change;
  }
  return text;
}

function groupText({ effect, from, command, was, now }: DiffGroup, folders: Folders): string {
  return [
    "",
    `- ${MARKS[effect]}: was ${was.action}, now ${now.action}${from ? ` from ${from}` : ""}`,
    `  - call: ${code(command)}`,
    `  - was: ${ruleText(was, folders)}`,
    `  - now: ${ruleText(now, folders)}`,
    "",
  ].join("\n");
}

function ruleText({ rule }: SideVerdict, folders: Folders): string {
  return rule === null
    ? "no rule matches"
    : `${code(rule.pattern)} in ${code(rulePlace(rule, folders))}`;
}

function settingText(change: SettingChange, folders: Folders): string {
  const { name, effect, was, now, wasAt, nowAt } = change;
  const place = (at: SettingChange["wasAt"]) =>
    at === undefined ? "" : ` in ${code(`${pathText(at.path, folders)}:${at.line}:${at.column}`)}`;
  return [
    "",
    `- ${MARKS[effect]}: ${code(name)}`,
    `  - was: ${code(was)}${place(wasAt)}`,
    `  - now: ${code(now)}${place(nowAt)}`,
    "",
  ].join("\n");
}

/** A code span of one line: its fence is longer than every run of backticks in the text. */
function code(text: string): string {
  const shown = cut(visible(text), LONGEST_SPAN);
  if (shown.trim() === "") return "(blank)";
  const runs = [...shown.matchAll(/`+/g)].map(([run]) => run.length);
  const fence = "`".repeat(Math.max(0, ...runs) + 1);
  const pad = /^[` ]|[` ]$/.test(shown) ? " " : "";
  return `${fence}${pad}${shown}${pad}${fence}`;
}

/** A sentence in which nothing is Markdown, HTML or a mention. */
function plain(text: string): string {
  return visible(text).replace(/[\\`*_{}[\]<>()#+!|@&~]/g, (char) => `&#${char.charCodeAt(0)};`);
}
