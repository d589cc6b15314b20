import type { RuleSource } from "../../model/rule.ts";
import { annotation, type AnnotationPlace } from "../github.ts";
import { pathFromRoot, pathText } from "../place_text.ts";
import {
  type DiffGroup,
  type DiffKind,
  type DiffReport,
  type Effect,
  rulePlace,
  type SideVerdict,
} from "./diff_report.ts";
import type { SettingChange } from "./diff_settings.ts";
import { headline } from "./diff_markdown.ts";

/**
 * The changes as workflow commands, which GitHub shows beside the lines of the new policy; then how many there are. A change that
 * fails the run is an error, any other a notice.
 */
export function diffGithub(report: DiffReport): string {
  const changes = [
    ...report.settings.map((each) => settingAnnotation(each, report)),
    ...report.groups.map((each) => groupAnnotation(each, report)),
    ...report.unknown.map(({ kind, text }) =>
      annotation(levelOf(kind, report), {
        place: placeOf(undefined, { title: "caliban: not compared exactly", report }),
        lines: [text],
      })
    ),
  ];
  return `${changes.join("")}Policy: ${headline(report)}\n`;
}

const TITLES: Readonly<Record<Effect, string>> = {
  loosened: "caliban: loosened",
  tightened: "caliban: tightened",
  unclear: "caliban: may loosen",
};

function levelOf(kind: DiffKind, { target }: DiffReport): "error" | "notice" {
  return target === undefined || target.fails(kind) ? "error" : "notice";
}

function groupAnnotation(
  { effect, from, command, was, now }: DiffGroup,
  report: DiffReport,
): string {
  return annotation(levelOf(effect, report), {
    place: placeOf(now.rule?.source, { title: TITLES[effect], report }),
    lines: [
      `was ${was.action}, now ${now.action}${from ? ` from ${from}` : ""}: ${command}`,
      `was: ${ruleText(was, report)}`,
      `now: ${ruleText(now, report)}`,
    ],
  });
}

function settingAnnotation(change: SettingChange, report: DiffReport): string {
  const { name, effect, was, now, wasAt, nowAt } = change;
  const { folders } = report;
  const shown = (at: RuleSource | undefined) =>
    at === undefined ? "" : ` in ${pathText(at.path, folders)}:${at.line}:${at.column}`;
  return annotation(levelOf(effect, report), {
    place: placeOf(nowAt, { title: TITLES[effect], report }),
    lines: [name, `was: ${was}${shown(wasAt)}`, `now: ${now}${shown(nowAt)}`],
  });
}

/** The line where a change stands; the policy file for one that stands nowhere in it, such as a rule that is gone. */
function placeOf(
  source: RuleSource | undefined,
  { title, report: { target } }: { readonly title: string; readonly report: DiffReport },
): AnnotationPlace {
  if (target === undefined) return { title };
  const file = source && pathFromRoot(source.path, target.root);
  if (source !== undefined && file !== undefined) return { file, line: source.line, title };
  const whole = pathFromRoot(target.file, target.root);
  return whole === undefined ? { title } : { file: whole, title };
}

function ruleText({ rule }: SideVerdict, { folders }: DiffReport): string {
  return rule === null ? "no rule matches" : `${rule.pattern} in ${rulePlace(rule, folders)}`;
}
