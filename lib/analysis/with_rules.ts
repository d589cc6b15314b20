import { Policy } from "../policy/policy.ts";
import type { CompiledRule } from "../policy/rule_table.ts";

/** A policy of some of the rules of another. */
export function withRules(policy: Policy, rules: readonly CompiledRule[]): Policy {
  return new Policy({
    rules,
    merged: policy.sources,
    profiles: policy.profiles,
    context: policy.context,
    cwd: policy.facts({ tool: "Read", input: {} }).cwd,
    recompile: () => undefined,
  });
}
