import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { formatInstant } from "../../text/instant.ts";
import { ruleName } from "../words.ts";

/** Rules whose time is over. */
export const expired: Check = {
  id: "expired",
  severity: "warning",
  docs: {
    what: "A rule whose expires_at is over",
    why:
      "Without enforce_expiry it still counts, although somebody meant it to end; with it, it is dead text.",
    avoid: example([`${rule("Bash(npm publish:*)", "allow")}, expires_at = 2020-01-01T00:00:00Z`]),
    prefer: example([rule("Bash(npm publish:*)", "ask")]),
  },
  find({ rules, policy, now }) {
    return rules.flatMap((linted) => {
      const { rule } = linted;
      if (rule.expiresAt === undefined || now < rule.expiresAt) return [];
      const still = policy.settings.enforceExpiry
        ? "and does not count"
        : "and still counts, since enforce_expiry is not set";
      return [foundAt(linted, {
        message: `${ruleName(rule)} ended at ${formatInstant(rule.expiresAt)} ${still}`,
        hint: "Remove it, or give it a later expires_at",
      })];
    });
  },
};
