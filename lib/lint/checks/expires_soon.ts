import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { formatInstant } from "../../text/instant.ts";
import { ruleName } from "../words.ts";

const DAY = 24 * 60 * 60 * 1000;

/** How long before its end a rule is told of, in days. */
const SOON = 30;

/** Rules whose time is over soon. */
export const expiresSoon: Check = {
  id: "expires-soon",
  severity: "note",
  docs: {
    what: `A rule whose expires_at is less than ${SOON} days away`,
    why: "Somebody should decide whether it goes on, before a build stops or a protection ends.",
    avoid: example([`${rule("Bash(npm publish:*)", "deny")}, expires_at = 2026-12-01T00:00:00Z`]),
    prefer: example([`${rule("Bash(npm publish:*)", "deny")}, expires_at = 2999-01-01T00:00:00Z`]),
  },
  find({ rules, now }) {
    return rules.flatMap((linted) => {
      const { rule } = linted;
      const left = (rule.expiresAt ?? Infinity) - now;
      if (rule.expiresAt === undefined || left <= 0 || left >= SOON * DAY) return [];
      const days = Math.ceil(left / DAY);
      const when = `${formatInstant(rule.expiresAt)}, in ${days} ${days === 1 ? "day" : "days"}`;
      return [foundAt(linted, {
        message: `${ruleName(rule)} ends at ${when}`,
        hint: "Give it a later expires_at, or let it end",
      })];
    });
  },
};
