import type { Rule } from "../model/rule.ts";
import type { CompiledPolicy, CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { Analysis, Reachability, Redundancy } from "./analysis.ts";
import { partialOverlapsOf } from "./partial_overlaps.ts";
import { neededBy } from "./needed_by.ts";
import { redundancyOf } from "./redundancy.ts";
import { reachabilityOf } from "./reachability.ts";
import { type AnalysisOptions, RuleSpace } from "./rule_space.ts";
import { remembered } from "./rule_store.ts";
import { EquivalentRules } from "./equivalent.ts";

/**
 * Creates an analysis of one policy's rules: reachability, redundancy, equivalence and overlaps, each with a call that proves
 * it. The rules must be the policy's own. Each answer is computed once.
 *
 * Throws RangeError for a rule of another policy.
 *
 * @example
 * ```ts
 * import { policyFromToml } from "../core.ts";
 * const policy = policyFromToml('[permissions]\nallow = ["Bash:git *"]\ndeny = ["Bash:git push *"]\n');
 * const analysis = createAnalysis(policy);
 * console.log(policy.rules.map((rule) => analysis.reachability(rule).kind));
 * ```
 */
export function createAnalysis(policy: CompiledPolicy, options: AnalysisOptions = {}): Analysis {
  const space = new RuleSpace(policy, options);
  const same = new EquivalentRules(space);
  const reachabilities = new Map<CompiledRule, Reachability>();
  const redundancies = new Map<CompiledRule, Redundancy>();
  const own = (rule: Rule): CompiledRule => {
    const found = policy.rules[rule.index];
    if (found?.pattern === rule.pattern && found.action === rule.action) return found;
    throw new RangeError(`Cannot analyse rule "${rule.pattern}": it is not a rule of this policy`);
  };
  const reachability = (rule: CompiledRule) =>
    remembered(reachabilities, rule, (each) => {
      const found = reachabilityOf(each, space);
      const needed = neededBy(found, { rule: each, space });
      if (needed !== undefined) redundancies.set(each, needed);
      options.onStep?.();
      return found;
    });
  // The call that proves a rule reachable is not tried again.
  const known = (rule: CompiledRule) => ({
    reached: reachability(rule),
    needed: redundancies.get(rule),
  });
  const redundancy = (rule: CompiledRule) =>
    remembered(redundancies, rule, (each) => redundancyOf(each, { space, known }));
  return {
    evaluate: (call) => space.evaluate(call),
    reachability: (rule) => reachability(own(rule)),
    redundancy(rule) {
      options.onStep?.();
      return redundancy(own(rule));
    },
    equivalent: (rule) => same.of(own(rule)),
    partialOverlaps(rule, isAsked) {
      options.onStep?.();
      return partialOverlapsOf(own(rule), { space, isAsked });
    },
  };
}
