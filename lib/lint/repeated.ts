import type { Rule } from "../model/rule.ts";
import type { LintContext, LintedRule } from "./lint_context.ts";
import { patternKey } from "./rule_spec.ts";

/** A rule with the pattern of an earlier one of its file. */
export interface Repeated {
  /** The rule. */
  readonly linted: LintedRule;
  /** The first rule of the file with that pattern. */
  readonly first: Rule;
}

/**
 * Every rule whose pattern an earlier rule of the same file has, in any spelling. Where expiry is enforced, a rule that
 * ends some day is no earlier one: the later takes its place then.
 */
export function repeated({ rules, policy }: LintContext): readonly Repeated[] {
  const firsts = new Map<string, Rule>();
  return rules.flatMap((linted) => {
    const key = `${linted.file.path}\n${patternKey(linted.rule, policy.profiles)}`;
    const first = firsts.get(key);
    if (first !== undefined) return [{ linted, first }];
    const ends = policy.settings.enforceExpiry && linted.rule.expiresAt !== undefined;
    if (!ends) firsts.set(key, linted.rule);
    return [];
  });
}

/** The rules that `duplicate` and `contradiction` speak of. */
export function repeatedRules(context: LintContext): ReadonlySet<Rule> {
  return new Set(repeated(context).map(({ linted }) => linted.rule));
}
