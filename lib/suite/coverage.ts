import type { Rule } from "../model/rule.ts";
import type { Policy } from "../policy/policy.ts";

/** Which rules tests reach. */
export interface Coverage {
  /** The rules that are written in files and on the line, in their order. */
  readonly rules: readonly Rule[];
  /** Those among them that decided no unit of any call. */
  readonly unreached: readonly Rule[];
}

/** The coverage of a policy by tests that these rules decided. Built-in rules are nobody's to test. */
export function coverageOf(policy: Policy, deciding: Iterable<Rule>): Coverage {
  const reached = new Set([...deciding].map(({ index }) => index));
  const rules = policy.rules.filter(({ source }) => source.kind !== "builtin");
  return { rules, unreached: rules.filter(({ index }) => !reached.has(index)) };
}
