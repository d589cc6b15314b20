import type { Specifier } from "../../../pattern/parse_pattern.ts";
import { onlyText, printGlob } from "../../../pattern/glob.ts";
import { type Check, example, rule } from "../../check.ts";
import { foundAt, ruleName } from "../../place_finding.ts";
import { ruleSpecifier } from "../../rule_specifier.ts";

/** Patterns with a stray space at an edge. */
export const trailingSpace: Check = {
  id: "trailing-space",
  severity: "warning",
  docs: {
    what: "A space before :*, or at the edge of a field's value",
    why:
      "“Bash(git push :*)” needs two spaces after “git push”, so it matches almost nothing: the prefix form already includes " +
      "the space.",
    avoid: example([rule("Bash(git push :*)", "deny")]),
    prefer: example([rule("Bash(git push:*)", "deny")]),
  },
  find({ rules, policy: { profiles } }) {
    return rules.flatMap((linted) => {
      const { rule } = linted;
      const found = ruleSpecifier(rule, profiles);
      const text = found && blankEdge(found.specifier);
      if (text === undefined) return [];
      return [foundAt(linted, {
        message: `${ruleName(rule)} has a stray space ${
          /\s$/.test(text) ? "after" : "before"
        } "${text.trim()}"`,
        hint: "Remove the space",
      })];
    });
  },
};

/** The text of a specifier with a space at an edge that separates no words. */
function blankEdge(specifier: Specifier): string | undefined {
  if (specifier.kind === "any" || specifier.kind === "class") return undefined;
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
