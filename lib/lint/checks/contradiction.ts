import { example, rule } from "../example.ts";
import { sampleCalls } from "../../suggest/sample_calls.ts";
import type { Check } from "../check.ts";
import { foundAt, shown, tried } from "../found_at.ts";
import { repeated } from "../repeated.ts";
import { ruleAt, ruleName } from "../words.ts";

/** The same pattern with another action. */
export const contradiction: Check = {
  id: "contradiction",
  severity: "error",
  docs: {
    what: "The same pattern with different actions in one file",
    why:
      "The first that fits decides, so the later one only looks as if it counted. Where it is the stricter one, " +
      "somebody believes in a protection that is not there.",
    avoid: example([rule("Bash(git push:*)", "allow"), rule("Bash(git push:*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny")]),
  },
  find(context) {
    const { policy } = context;
    return repeated(context).flatMap(({ linted, first }) => {
      const { rule } = linted;
      if (first.action === rule.action) return [];
      const call = sampleCalls(rule.pattern, policy.profiles)
        .find((each) => tried(context, each).rule === first);
      return [foundAt(linted, {
        message: `${ruleName(rule)} contradicts ${ruleAt(first, { policy, from: rule })}, ` +
          "which decides first",
        related: [first],
        ...(call === undefined ? {} : shown(context, call)),
        hint: "Keep the one that is meant",
      })];
    });
  },
};
