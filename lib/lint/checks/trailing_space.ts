import type { Specifier } from "../../pattern/pattern.ts";
import { onlyText, printGlob } from "../../pattern/glob.ts";
import { example, rule } from "../example.ts";
import type { Check } from "../check.ts";
import { foundAt } from "../found_at.ts";
import { ruleSpec } from "../rule_spec.ts";
import { ruleName } from "../words.ts";

/** Patterns with a blank at an edge that was hardly meant. */
export const trailingSpace: Check = {
  id: "trailing-space",
  severity: "warning",
  docs: {
    what: "A blank before :*, or at the edge of a field's value",
    why:
      "“Bash(git push :*)” wants two blanks behind “git push”, so it fits next to nothing: the blank before the star " +
      "belongs to the prefix form already.",
    avoid: example([rule("Bash(git push :*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny")]),
  },
  find({ rules, policy: { profiles } }) {
    return rules.flatMap((linted) => {
      const { rule } = linted;
      const found = ruleSpec(rule, profiles);
      const text = found && blankEdge(found.spec);
      if (text === undefined) return [];
      return [foundAt(linted, {
        message: `${
          ruleName(rule)
        } wants a blank where there mostly is none: at the edge of "${text}"`,
        hint: "Take the blank away",
      })];
    });
  },
};

/** The text of a spec that has a blank at an edge, where that is no word's beginning or end. */
function blankEdge(specifier: Specifier): string | undefined {
  if (specifier.kind === "any") return undefined;
  if (specifier.kind === "argument") {
    const { test } = specifier;
    if (test.kind !== "command" || test.anchor !== "prefix") return undefined;
    const text = printGlob(test.glob);
    return /\s$/.test(text) ? text : undefined;
  }
  return specifier.fields.flatMap(({ test }) => {
    const text = test.kind === "text" || test.kind === "command" ? onlyText(test.glob) : undefined;
    return text !== undefined && text.trim() !== "" && text.trim() !== text ? [text] : [];
  })[0];
}
