import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";
import { formatInstant } from "../../../text/instant.ts";

const DAY = 24 * 60 * 60 * 1000;

/** The days before its end from which a rule is reported. */
const SOON = 30;

/** Rules that expire soon. */
export const expiresSoon: Check = {
  id: "expires-soon",
  severity: "note",
  docs: {
    what: `A rule whose expires_at is less than ${SOON} days away`,
    why: "Decide if you still need the rule before a build stops or a protection ends.",
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
        message: `${ruleName(rule)} expires at ${when}`,
        hint: "Give it a later expires_at, or let it expire",
      })];
    });
  },
};
