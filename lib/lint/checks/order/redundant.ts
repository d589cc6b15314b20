import type { Rule } from "../../../model/rule.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import { foundAt, hasEnded, listed, ruleAt, ruleName } from "../../place_finding.ts";
import { isRemovable, removal } from "../../removal.ts";
import { repeatedRules } from "../../rule_specifier.ts";

/** Rules whose removal changes no verdict. */
export const redundant: Check = {
  id: "redundant",
  severity: "note",
  docs: {
    what: "A rule whose removal changes no verdict",
    why:
      "Without it, other rules give the same answers. Long lists hide the rules that matter; an agent's “always allow” adds " +
      "many such rules.",
    avoid: example([rule("Bash(git status:*)", "allow"), rule("Bash(git:*)", "allow")]),
    prefer: example([rule("Bash(git:*)", "allow")]),
  },
  find(context) {
    const { rules, analysis, policy } = context;
    const reported = repeatedRules(context);
    const own = new Set<Rule>(rules.map((linted) => linted.rule));
    return rules.flatMap((linted) => {
      const { rule } = linted;
      if (hasEnded(context, linted)) return [];
      if (analysis.reachability(rule).kind !== "reached") return [];
      const redundancy = analysis.redundancy(rule);
      if (redundancy.kind !== "redundant") return [];
      const { by, precision } = redundancy;
      // A copy of it, or a rule that it shadows, is reported already: only one of the two may be removed.
      if (
        by.length > 0 &&
        by.every((each) => reported.has(each) || own.has(each) && isBehind(each, { rule, context }))
      ) {
        return [];
      }
      const names = listed(by.map((each) => ruleAt(each, { policy, from: rule })));
      const isOwn = by.length > 0 && by.every(({ source }) => source.path === rule.source.path);
      const isWhole = precision === "every call";
      const decide = by.length === 1 ? "decides" : "decide";
      return [foundAt(linted, {
        message:
          `${ruleName(rule)} ${
            isWhole ? "is not needed" : `makes no difference for ${precision}`
          }: ` +
          (by.length === 0 ? "nothing changes without it" : `${names} ${decide} the same`),
        related: by,
        hint: "Remove it, unless it documents your intention",
        ...(isOwn && isRemovable(rule, context) ? removal(linted) : {}),
      })];
    });
  },
};

/** True if a rule is shadowed, by the other rule among others. */
function isBehind(
  each: Rule,
  { rule, context: { analysis } }: { rule: Rule; context: LintContext },
): boolean {
  const reachability = analysis.reachability(each);
  return reachability.kind === "shadowed" && reachability.by.includes(rule);
}
