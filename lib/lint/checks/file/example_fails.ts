import { runExamples } from "../../../suite/run_examples.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";

/** A `match` or `not_match` that the rule's pattern contradicts. */
export const exampleFails: Check = {
  id: "example-fails",
  severity: "error",
  docs: {
    what: "A rule's example that its pattern does not match, or matches but should not",
    why:
      "“match” and “not_match” document the purpose of a pattern. If one fails, the rule does not do what its author " +
      "intended: an allow may be too broad, a deny may have a gap. Decisions do not check examples, so they cost no time.",
    avoid: example([`${rule("Bash:git*", "allow")}, not_match = ["gitk"]`]),
    prefer: example([`${rule("Bash(git:*)", "allow")}, not_match = ["gitk"]`]),
  },
  find({ rules, policy }) {
    const { context, profiles } = policy;
    const [workspace = "/"] = context.workspace;
    const reading = { profiles, workspace, platform: context.platform };
    const failed = runExamples(policy, reading).filter(({ fault }) => fault !== undefined);
    return rules.flatMap((linted) =>
      failed.filter((each) => each.rule.index === linted.rule.index)
        .map(({ rule, list, example: { value, span }, fault }) => ({
          ...foundAt(linted, {
            message: `The ${list} "${value}" of ${ruleName(rule)} fails: ${fault}`,
            hint: "Change the pattern, or the example if it is wrong",
          }),
          span,
        }))
    );
  },
};
