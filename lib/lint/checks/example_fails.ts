import { runExamples } from "../../suite/run_examples.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { ruleName } from "../words.ts";

/** A `match` or `not_match` that the rule's pattern contradicts. */
export const exampleFails: Check = {
  id: "example-fails",
  severity: "error",
  docs: {
    what: "An example of a rule that its pattern does not fit, or fits though it should not",
    why:
      "“match” and “not_match” say what a pattern is meant for. Where one fails, the rule does not say what its author " +
      "believes: an allow may be too wide, a deny may have a gap. Loading does not look at them, so that they cost no decision.",
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
            hint: "Change the pattern, or the example where it is wrong",
          }),
          span,
        }))
    );
  },
};
