import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleAt, ruleName } from "../../place_finding.ts";
import { removal } from "../../removal.ts";
import { repeatedPatterns } from "../../rule_specifier.ts";

/** The same pattern and action again. */
export const duplicate: Check = {
  id: "duplicate",
  severity: "warning",
  docs: {
    what: "The same pattern and action twice in a file, in any spelling",
    why: "The second never decides. If you later change or remove one of them, the other remains.",
    avoid: example([rule("Bash(git status:*)", "allow"), rule("Bash(git status:*)", "allow")]),
    prefer: example([rule("Bash(git status:*)", "allow")]),
  },
  find(context) {
    const { policy } = context;
    return repeatedPatterns(context).flatMap(({ linted, first }) => {
      const { rule } = linted;
      // A rule that expires earlier does not replace one that lasts.
      const lasts = first.expiresAt === undefined || first.expiresAt === rule.expiresAt;
      if (first.action !== rule.action || !lasts) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} repeats ${ruleAt(first, { policy, from: rule })}`,
        related: [first],
        hint: "Remove it",
        ...removal(linted),
      })];
    });
  },
};
