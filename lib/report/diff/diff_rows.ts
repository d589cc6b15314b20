import { printedJson } from "../../text/printed_json.ts";
import type { Rule } from "../../model/rule.ts";
import { type DiffGroup, rulePlace, type SideVerdict } from "./diff_report.ts";
import type { Folders } from "../place_text.ts";

/** Groups of calls that one change of a rule makes, of which a reader sees the first. */
export interface DiffRow extends Omit<DiffGroup, "witness"> {
  /** The rule that was changed, added, moved or removed; null if none decides on either side. */
  readonly rule: Rule | null;
}

/** The groups by the change that they come from, in their order; those that say the same are one row. */
export function diffRows(groups: readonly DiffGroup[], folders: Folders): readonly DiffRow[] {
  const rows = new Map<string, DiffRow>();
  for (const { witness: _, ...group } of groups) {
    const rule = changedRule(group);
    const key = printedJson([
      group.effect,
      group.from,
      rule && [rule.pattern, rulePlace(rule, folders)],
      ...[group.was, group.now].map((side) => [side.action, otherRule(side, rule)?.pattern]),
    ]);
    if (!rows.has(key)) rows.set(key, { ...group, rule });
  }
  return [...rows.values()];
}

/** The rule that decides on a side where it is neither the changed one nor built in. */
export function otherRule({ rule }: SideVerdict, changed: Rule | null): Rule | null {
  return rule === null || isBuiltIn(rule) || rule.pattern === changed?.pattern ? null : rule;
}

/** The rule that only one policy has; else the one that decides now, or decided where a built-in rule does now. */
function changedRule({ was, now, changed }: Pick<DiffGroup, "was" | "now" | "changed">) {
  if (changed !== undefined) return changed === "was" ? was.rule : now.rule;
  return now.rule === null || isBuiltIn(now.rule) ? was.rule ?? now.rule : now.rule;
}

function isBuiltIn({ source }: Rule): boolean {
  return source.kind === "builtin";
}
