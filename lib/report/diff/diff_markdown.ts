import {
  counted,
  countEffects,
  type DiffReport,
  type Effect,
  rulePlace,
  type SideVerdict,
  type WithEffect,
} from "./diff_report.ts";
import { type DiffRow, diffRows, otherRule } from "./diff_rows.ts";
import type { Rule } from "../../model/rule.ts";
import type { SettingChange } from "./diff_settings.ts";
import { cut } from "../../text/call_text.ts";
import { type Folders, pathText } from "../place_text.ts";
import { visible } from "../../text/visible.ts";

/** A comment on GitHub holds 65,536 characters; the end of a longer report is omitted. */
const LONGEST = 60_000;

/** The room for what was not compared exactly, in characters. */
const LONGEST_TAIL = 10_000;

/** A longer text of a rule or call is cut, in columns. */
const LONGEST_SPAN = 1000;

const MARKS: Readonly<Record<Effect, string>> = {
  loosened: "⚠️ **loosened**",
  tightened: "tightened",
  unclear: "❔ may loosen",
};

const TABLE = "\n| | rule | was | now | call to try |\n|---|---|---|---|---|\n";

/** The order of changes. */
const ORDER: readonly Effect[] = ["loosened", "unclear", "tightened"];

/** The report as Markdown for a comment on a pull request; nothing of the user's text is read as Markdown. */
export function diffMarkdown(report: DiffReport): string {
  const { settings, groups, unknown, folders } = report;
  const grouped = diffRows(groups, folders);
  const names = [report.old, report.new].map((name) => code(shortened(name)));
  const head = `### Policy: ${headline({ ...report, groups: grouped })}\n\n${names.join(" → ")}\n`;
  const gaps = unknown.map(({ text }) => `- ${plain(text)}\n`);
  const tail = unknown.length === 0
    ? ""
    : `\n<sub>Not compared exactly:</sub>\n\n${fitting(gaps, { room: LONGEST_TAIL, noun: "gap" })}`;
  const rows = [
    ...settings.map((change) => ({ effect: change.effect, text: settingRow(change, folders) })),
    ...grouped.map((row) => ({ effect: row.effect, text: ruleRow(row, folders) })),
  ].toSorted((a, b) => ORDER.indexOf(a.effect) - ORDER.indexOf(b.effect));
  const room = LONGEST - head.length - tail.length;
  const table = fitting(rows.map(({ text }) => text), { room, noun: "change" });
  return head + (rows.length === 0 ? "" : TABLE + table) + tail;
}

/** The name of a side, or a place in it, with ten digits of its commit. */
function shortened(name: string): string {
  return name.replace(
    /^git:[0-9a-f]{40}(?:[0-9a-f]{24})?(?=:|$)/,
    (commit) => commit.slice(0, "git:".length + 10),
  );
}

function placeOf(rule: Rule, folders: Folders): string {
  return code(shortened(rulePlace(rule, folders)));
}

/** The number of changes in a few words: `1 loosened, 2 tightened`. */
export function headline(
  report: Pick<DiffReport, "settings" | "unknown"> & { readonly groups: readonly WithEffect[] },
): string {
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

/** The lines that there is room for, and how many more there are. */
function fitting(
  lines: readonly string[],
  { room, noun }: { readonly room: number; readonly noun: string },
): string {
  let text = "";
  for (const [index, line] of lines.entries()) {
    if (text.length + line.length > room) {
      const left = counted(lines.length - index, `more ${noun}`);
      return `${text}\n…and ${left}; \`--format json\` prints all of them.\n`;
    }
    text += line;
  }
  return text;
}

function ruleRow(row: DiffRow, folders: Folders): string {
  const { effect, rule, from, was, now, command } = row;
  const side = (verdict: SideVerdict) => {
    const other = otherRule(verdict, rule);
    return other === null
      ? verdict.action
      : `${verdict.action} by ${code(other.pattern)}<br>${placeOf(other, folders)}`;
  };
  return cells([
    MARKS[effect],
    rule === null ? "no rule" : `${code(rule.pattern)}<br>${placeOf(rule, folders)}`,
    side(was),
    `${side(now)}${from === undefined ? "" : ` from ${from}`}`,
    code(command),
  ]);
}

function settingRow(change: SettingChange, folders: Folders): string {
  const { name, effect, was, now, wasAt, nowAt } = change;
  const at = nowAt ?? wasAt;
  const place = at && `<br>${code(`${pathText(at.path, folders)}:${at.line}:${at.column}`)}`;
  return cells([MARKS[effect], `${code(name)}${place ?? ""}`, code(was), code(now), ""]);
}

function cells(texts: readonly string[]): string {
  return `| ${texts.join(" | ")} |\n`;
}

/**
 * A text of the user as code, on one line of a table. Readers of Markdown disagree about a "|" within backticks, so all that
 * could have a meaning is a character reference; the text of addresses too, of which GitHub would make links.
 */
function code(text: string): string {
  const shown = cut(visible(text), LONGEST_SPAN);
  if (shown.trim() === "") return "(blank)";
  return `<code>${shown.replace(/[\\`*_{}[\]<>|&~$@!#]|:(?=\/\/)|(?<=ww)w/gi, reference)}</code>`;
}

/** A sentence in which nothing is Markdown, HTML, a link or a mention. */
function plain(text: string): string {
  return visible(text)
    .replace(/[\\`*_{}[\]<>()+!|&~$]|:(?=\/\/)|(?<=ww)w/gi, reference)
    // A reference is no help here: mentions are looked for in what was rendered.
    .replace(/[@#](?!\d+;)/g, "$&&#8203;");
}

function reference(char: string): string {
  return `&#${char.charCodeAt(0)};`;
}
