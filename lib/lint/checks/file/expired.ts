import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";
import { hasEnd } from "../../../decide/first_match.ts";
import { formatInstant } from "../../../text/instant.ts";

/** Expired rules. */
export const expired: Check = {
  id: "expired",
  severity: "warning",
  docs: {
    what: "A rule whose expires_at has passed",
    why:
      "An expired allow has no effect. Without enforce_expiry a deny or ask still applies, although its author wanted it to end.",
    avoid: example([`${rule("Bash(npm publish:*)", "allow")}, expires_at = 2020-01-01T00:00:00Z`]),
    prefer: example([rule("Bash(npm publish:*)", "ask")]),
  },
  find({ rules, policy, now }) {
    return rules.flatMap((linted) => {
      const { rule } = linted;
      if (rule.expiresAt === undefined || now < rule.expiresAt) return [];
      const still = hasEnd(rule, policy.settings)
        ? "and does not apply"
        : "and still applies, since enforce_expiry is not set";
      return [foundAt(linted, {
        message: `${ruleName(rule)} expired at ${formatInstant(rule.expiresAt)} ${still}`,
        hint: "Remove it, or give it a later expires_at",
      })];
    });
  },
};
