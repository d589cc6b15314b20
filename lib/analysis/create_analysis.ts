import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/policy.ts";
import type { CompiledRule } from "../policy/rule_table.ts";
import type { Analysis, Need, Reach } from "./analysis.ts";
import { crossingsOf } from "./crossings.ts";
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
  const reaches = new Map<CompiledRule, Reach>();
  const needs = new Map<CompiledRule, Need>();
  const own = (rule: Rule): CompiledRule => {
    const found = policy.rules[rule.index];
    if (found?.pattern === rule.pattern && found.action === rule.action) return found;
    throw new RangeError(`Cannot analyse rule "${rule.pattern}": it is not of this policy`);
  };
  const reach = (rule: CompiledRule) => known(reaches, rule, (each) => reachOf(each, space));
  const need = (rule: CompiledRule) =>
    known(needs, rule, (each) => needOf(each, { space, reach: () => reach(each) }));
  return {
    reach: (rule) => reach(own(rule)),
    need: (rule) => need(own(rule)),
    same: (rule) => same.of(own(rule)),
    crossings: (rule, isAsked) => crossingsOf(own(rule), { space, isAsked }),
  };
}

function known<K, V>(values: Map<K, V>, key: K, make: (key: K) => V): V {
  let value = values.get(key);
  if (value === undefined) values.set(key, value = make(key));
  return value;
}
