import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { removal } from "../removal.ts";
import { repeated } from "../repeated.ts";
import { ruleAt, ruleName } from "../words.ts";

/** The same pattern and action again. */
export const duplicate: Check = {
  id: "duplicate",
  severity: "warning",
  docs: {
    what: "The same pattern and action twice in a file, in any spelling",
    why:
      "The second never decides. When one of them is changed or removed later, the other still stands.",
    avoid: example([rule("Bash(git status:*)", "allow"), rule("Bash(git status:*)", "allow")]),
    prefer: example([rule("Bash(git status:*)", "allow")]),
  },
  find(context) {
    const { policy } = context;
    return repeated(context).flatMap(({ linted, first }) => {
      const { rule } = linted;
      // One that ends earlier does not stand in for one that lasts.
      const lasts = first.expiresAt === undefined || first.expiresAt === rule.expiresAt;
      if (first.action !== rule.action || !lasts) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} says again what ${ruleAt(first, { policy, from: rule })} says`,
        related: [first],
        hint: "Remove it",
        ...removal(linted),
      })];
    });
  },
};
