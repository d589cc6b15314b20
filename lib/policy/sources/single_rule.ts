import type { Action } from "../../model/action.ts";
import type { RuleSource } from "../../model/source.ts";
import type { PlacedRule } from "../../model/source_entry.ts";

/** A rule that is only a pattern and an action, as a flag has it; its text is the pattern's own. */
export function singleRule(
  pattern: string,
  rule: { action: Action; source: RuleSource },
): PlacedRule {
  const span = { start: 0, end: pattern.length, line: 1, column: 1 };
  const { action, source } = rule;
  return { pattern: { value: pattern, span }, action, span, source, text: pattern };
}
