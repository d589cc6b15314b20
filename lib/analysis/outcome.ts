import { PLACES } from "../decide/protected/protected_place.ts";
import { namesPlace } from "../decide/protected/names_place.ts";
import type { CompiledRule, ToolRule } from "../policy/compile/rule_table.ts";

/** Whether a second rule, deciding instead of a first one, changes neither a verdict nor a decision in any mode. */
export function decidesTheSame(first: CompiledRule, second: CompiledRule): boolean {
  if (first.action !== second.action) return false;
  switch (first.action) {
    case "allow":
      return true;
    case "deny":
      // What the model is told is part of the answer.
      return first.reason === second.reason;
    case "ask":
      return outlastsModes(first) === outlastsModes(second);
  }
}

/** Whether silence says the same as the rule: an ordinary question. */
export function isSilence(rule: CompiledRule): boolean {
  return rule.action === "ask" && !outlastsModes(rule);
}

function outlastsModes({ source, parsed }: CompiledRule): boolean {
  return source.kind !== "builtin" && parsed.specifier !== undefined;
}

/** Whether an allow rule's literal text names a protected file that another one's does not: only rules that do lift its check. */
export function liftsMore(toolRule: ToolRule, others: readonly ToolRule[]): boolean {
  if (toolRule.rule.action !== "allow") return false;
  return PLACES.some((place) =>
    namesPlace(toolRule, place) && !others.every((other) => namesPlace(other, place))
  );
}
