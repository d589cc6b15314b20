import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/compile/policy.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { Analysis, Reachability, Redundancy } from "./analysis.ts";
import { partialOverlapsOf } from "./crossings.ts";
import { needOf } from "./need.ts";
import { reachOf } from "./reach.ts";
import { type AnalysisOptions, RuleSpace } from "./rule_space.ts";
import { SamePatterns } from "./same.ts";

/**
 * Exact answers about the rules of one policy: whether each is reached and needed, with a call that proves it. Rules that
 * are asked about must be the policy's own. Every answer is found once.
 *
 * Throws RangeError for a rule of another policy.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "../core.ts";
 * const policy = policyFromToml('[permissions]\nallow = ["Bash:git *"]\ndeny = ["Bash:git push *"]\n');
 * const analysis = createAnalysis(policy);
 * console.log(policy.rules.map((rule) => analysis.reach(rule).kind));
 * ```
 */
export function createAnalysis(policy: Policy, options: AnalysisOptions = {}): Analysis {
  const space = new RuleSpace(policy, options);
  const same = new SamePatterns(space);
  const reaches = new Map<CompiledRule, Reachability>();
  const needs = new Map<CompiledRule, Redundancy>();
  const own = (rule: Rule): CompiledRule => {
    const found = policy.rules[rule.index];
    if (found?.pattern === rule.pattern && found.action === rule.action) return found;
    throw new RangeError(`Cannot analyse rule "${rule.pattern}": it is not of this policy`);
  };
  const reach = (rule: CompiledRule) => known(reaches, rule, (each) => reachOf(each, space));
  const need = (rule: CompiledRule) =>
    known(needs, rule, (each) => needOf(each, { space, reach: () => reach(each) }));
  return {
    reachability: (rule) => reach(own(rule)),
    redundancy: (rule) => need(own(rule)),
    equivalent: (rule) => same.of(own(rule)),
    partialOverlaps: (rule, isAsked) => partialOverlapsOf(own(rule), { space, isAsked }),
  };
}

function known<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = values.get(key);
  if (value === undefined) values.set(key, value = make(key));
  return value;
}
