import { strictestOf } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { UnitVerdict, Verdict } from "../model/verdict.ts";
import { asksBySpec } from "../decide/modes/asks_by_spec.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import { evaluate } from "../decide/evaluate.ts";

/** When a policy is looked at. */
export interface ReplayOptions {
  /** The time, in ms since 1970-01-01T00:00Z. */
  readonly now?: number;
}

/** Whether the rule decides the call, or a part of it. */
export function isDecided(
  call: ToolCall,
  { policy, rule, options }: { policy: Policy; rule: CompiledRule; options: ReplayOptions },
): boolean {
  return evaluate(policy, call, options).units.some((unit) =>
    unit.rule?.index === rule.index && unit.steps.some((step) =>
      step.rule.index === rule.index && step.effect === "decides"
    ) && unit.action === rule.action && unit.by === "rule"
  );
}

/** What of a verdict the modes, the model and people can tell. */
export function meaning(verdict: Verdict): string {
  const strictest = strictestOf<UnitVerdict>(verdict.units, (unit) => unit);
  // A safety check outlasts the modes whoever asks.
  const asks = verdict.units.some((unit) => unit.by === "rule" && asksBySpec(unit));
  const reasons = verdict.units.flatMap(({ action, rule }) =>
    action === "deny" && rule?.reason !== undefined ? [rule.reason] : []
  );
  return JSON.stringify([strictest.action, strictest.by, asks, [...new Set(reasons)]]);
}
