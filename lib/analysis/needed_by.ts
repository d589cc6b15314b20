import type { ToolCall } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Reachability, Redundancy } from "./analysis.ts";
import { meaning } from "./outcome.ts";
import { checksOperands } from "./precision.ts";
import type { RuleSpace } from "./rule_space.ts";

/**
 * The answer if the call that proves a rule reachable proves it needed too, as it mostly does. Costs least directly after that
 * call was found.
 */
export function neededBy(
  reached: Reachability,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): Redundancy | undefined {
  return reached.kind === "reached" && differs(reached.witness, { rule, space })
    ? { kind: "needed", witness: reached.witness }
    : undefined;
}

/** True if the call's verdict differs without the rule. */
export function differs(
  call: ToolCall,
  { rule, space }: { rule: CompiledRule; space: RuleSpace },
): boolean {
  const now = space.evaluate(call);
  if (!checksOperands(rule, space) && rule.parsed.specifier !== undefined && isIdle(rule, now)) {
    return false;
  }
  return meaning(now) !== meaning(space.evaluateWithout(rule, call));
}

/** True if the rule neither decided nor raised any part of a call. */
function isIdle(rule: CompiledRule, { units }: Verdict): boolean {
  return units.every(({ steps }) =>
    steps.every((step) => step.rule !== rule || step.effect === "passes")
  );
}
