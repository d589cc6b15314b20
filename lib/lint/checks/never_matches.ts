import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt, hasEnded } from "../found_at.ts";
import { ruleName } from "../words.ts";

/** Rules whose pattern fits no call. */
export const neverMatches: Check = {
  id: "never-matches",
  severity: "error",
  docs: {
    what: "A rule that no call can reach, because its pattern fits nothing",
    why:
      "A deny that fits nothing protects nothing, and nobody notices. Patterns that can be seen to be impossible by " +
      "themselves do not even load; this finds those whose parts contradict each other.",
    avoid: example([rule("mcp__db__query:mode=ro,mode=rw", "deny")]),
    prefer: example([rule("mcp__db__query:mode=r?", "deny")]),
  },
  find(context) {
    const { rules, analysis } = context;
    return rules.flatMap((linted) => {
      if (hasEnded(context, linted) || analysis.reachability(linted.rule).kind !== "never") {
        return [];
      }
      return [foundAt(linted, {
        message: `${ruleName(linted.rule)} fits no call`,
        hint: "Correct the pattern, or remove the rule",
      })];
    });
  },
};
