import { example, rule } from "../example.ts";
import type { Rule } from "../../model/rule.ts";
import type { Check } from "../check.ts";
import { foundAt, hasEnded } from "../found_at.ts";
import type { LintContext } from "../lint_context.ts";
import { isNeedless } from "../needless.ts";
import { removal } from "../removal.ts";
import { repeatedRules } from "../repeated.ts";
import { listed, ruleAt, ruleName } from "../words.ts";

/** Rules without which every verdict would be the same. */
export const redundant: Check = {
  id: "redundant",
  severity: "note",
  docs: {
    what: "A rule whose removal changes no verdict",
    why:
      "Others decide the same in its place. Long lists hide what matters; an agent's “always allow” leaves many such " +
      "rules behind.",
    avoid: example([rule("Bash(git status:*)", "allow"), rule("Bash(git:*)", "allow")]),
    prefer: example([rule("Bash(git:*)", "allow")]),
  },
  find(context) {
    const { rules, analysis, policy } = context;
    const told = repeatedRules(context);
    return rules.flatMap((linted) => {
      const { rule } = linted;
      if (hasEnded(context, linted)) return [];
      if (analysis.reachability(rule).kind !== "reached") return [];
      const need = analysis.redundancy(rule);
      if (need.kind !== "redundant") return [];
      const { by, precision } = need;
      // A copy of it, or one that it always decides before, is told of already: only one of the two may go.
      if (
        by.length > 0 && by.every((each) => told.has(each) || isBehind(each, { rule, context }))
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
          (by.length === 0 ? "without it the same happens" : `${names} ${decide} the same`),
        related: by,
        hint: "Remove it, unless it is there to say so plainly",
        ...(isOwn && isNeedless(rule, context) ? removal(linted) : {}),
      })];
    });
  },
};

/** Whether a rule of the linted files is told of as shadowed, by the other rule among others. */
function isBehind(
  each: Rule,
  { rule, context: { rules, analysis } }: { rule: Rule; context: LintContext },
): boolean {
  if (!rules.some((linted) => linted.rule === each)) return false;
  const reach = analysis.reachability(each);
  return reach.kind === "shadowed" && reach.by.includes(rule);
}
