import { sampleCalls } from "../../../suggest/sample_calls.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleAt, ruleName, shown, tried } from "../../place_finding.ts";
import { repeatedPatterns } from "../../rule_specifier.ts";

/** The same pattern with another action. */
export const contradiction: Check = {
  id: "contradiction",
  severity: "error",
  docs: {
    what: "The same pattern with different actions in one file",
    why:
      "The first rule that matches decides, so the later one has no effect. If the later one is stricter, it suggests a " +
      "protection that does not exist.",
    avoid: example([rule("Bash(git push:*)", "allow"), rule("Bash(git push:*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny")]),
  },
  find(context) {
    const { policy } = context;
    return repeatedPatterns(context).flatMap(({ linted, first }) => {
      const { rule } = linted;
      if (first.action === rule.action) return [];
      const call = sampleCalls(rule.pattern, policy.profiles)
        .find((each) => tried(context, each).rule === first);
      return [foundAt(linted, {
        message: `${ruleName(rule)} contradicts ${ruleAt(first, { policy, from: rule })}, ` +
          "which decides first",
        related: [first],
        ...(call === undefined ? {} : shown(context, call)),
        hint: "Keep the intended one",
      })];
    });
  },
};
