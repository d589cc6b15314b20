import { printedJson } from "../../text/printed_json.ts";
import type { Rule } from "../../model/rule.ts";
import { countEffects, type DiffReport, type SideVerdict } from "./diff_report.ts";

/** The report as one JSON object, ending in a newline. */
export function diffJson(report: DiffReport): string {
  const { old, new: now, settings, groups, unknown } = report;
  const whole = {
    old,
    new: now,
    ...countEffects(report),
    groups: groups.map(({ effect, from, witness, command, was, now }) => ({
      effect,
      ...(from === undefined ? {} : { from }),
      was: sideJson(was),
      now: sideJson(now),
      call: witness,
      command,
    })),
    settings,
    unknown,
  };
  return printedJson(whole, { indent: 2 }) + "\n";
}

function sideJson({ action, rule }: SideVerdict) {
  return { action, rule: rule && ruleJson(rule) };
}

function ruleJson({ pattern, action, source: { path, line, column } }: Rule) {
  return { pattern, action, source: { path, line, column } };
}
