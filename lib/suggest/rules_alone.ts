import type { Action } from "../model/action.ts";
import type { RuleSource } from "../model/source.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { singleRule } from "../policy/sources/single_rule.ts";

const ALONE: RuleSource = { kind: "cli", path: "--allow", line: 1, column: 1 };

/**
 * The policy that has these rules and no others, in this order, for the same tools and the same surroundings, and that
 * always takes command lines apart. Undefined when a pattern has an error.
 */
export function rulesAlone(
  policy: Policy,
  rules: readonly { readonly pattern: string; readonly action: Action }[],
): Policy | undefined {
  const { sources, settings } = policy;
  return policy.with({
    entries: [],
    rules: rules.map(({ pattern, action }) => singleRule(pattern, { action, source: ALONE })),
    settings: { ...settings, shell: "parsed" },
    tools: sources.tools,
    notices: [],
    problems: [],
  });
}
