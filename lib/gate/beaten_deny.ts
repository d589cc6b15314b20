import { evaluate } from "../engine/evaluate.ts";
import type { WalkOptions } from "../engine/walk.ts";
import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/policy.ts";
import { sampleCalls } from "../suggest/sample_calls.ts";

/**
 * A deny rule that some call of the tool shows to be lifted: denied before, allowed after. Samples, not proof: undefined
 * when none of those made from the rules' own texts shows it.
 */
export function beatenDeny(
  before: Policy,
  { after, tool, options }: {
    readonly after: Policy;
    readonly tool: string;
    readonly options: WalkOptions;
  },
): Rule | undefined {
  for (const rule of before.rules) {
    if (rule.action !== "deny") continue;
    for (const call of sampleCalls(rule.pattern, before.profiles)) {
      if (call.tool !== tool) continue;
      const denied = evaluate(before, call, options);
      if (denied.action !== "deny") continue;
      if (evaluate(after, call, options).action === "allow") return denied.rule ?? rule;
    }
  }
  return undefined;
}
