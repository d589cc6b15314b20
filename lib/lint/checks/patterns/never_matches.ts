import { type Check, example, rule } from "../../check.ts";
import { foundAt, hasEnded, ruleName } from "../../place_finding.ts";

/** Rules whose pattern fits no call. */
export const neverMatches: Check = {
  id: "never-matches",
  severity: "error",
  docs: {
    what: "A rule whose pattern matches no call",
    why:
      "A deny that matches nothing protects nothing, and nobody notices. Obviously impossible patterns do not load; " +
      "this check finds patterns whose parts contradict each other.",
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
        message: `${ruleName(linted.rule)} matches no call`,
        hint: "Correct the pattern, or remove the rule",
      })];
    });
  },
};
