import { callOf, type CommandClass, type ToolCall } from "../../../model/call.ts";
import { CLASS_PHRASES } from "../../../model/class_phrases.ts";
import { type Check, example, type LintContext, rule } from "../../check.ts";
import type { CompiledRule } from "../../../policy/compile/compiled_policy.ts";
import { foundAt, hasEnded, ruleName, shown, tried } from "../../place_finding.ts";
import { ruleSpecifier } from "../../rule_specifier.ts";

/** Classes whose commands cannot be undone, or are no matter of the workspace. */
const DANGEROUS: ReadonlySet<CommandClass> = new Set([
  "delete",
  "service",
  "secret",
  "system",
  "code",
]);

/** Allow rules for a class of commands that no question should be left out for. */
export const dangerousClass: Check = {
  id: "dangerous-class",
  severity: "warning",
  docs: {
    what:
      "An allow for a class of commands that delete, publish, reveal, change the system or run other code: @delete, @service, " +
      "@secret, @system, @code",
    why:
      "Such a rule allows every program of the class, also those that later versions add, with any target that the rules " +
      "about files and URLs allow. A rule for one program is narrower.",
    avoid: example([rule("Bash(@delete)", "allow")]),
    prefer: example([rule("Bash(rm -r dist:*)", "allow"), rule("Bash(@read)", "allow")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => {
      const { rule } = linted;
      const specifier = ruleSpecifier(rule, context.policy.profiles)?.specifier;
      if (rule.action !== "allow" || specifier?.kind !== "class") return [];
      const { name } = specifier;
      if (!DANGEROUS.has(name) || hasEnded(context, linted)) return [];
      const call = allowedCall(rule, { name, context });
      return [foundAt(linted, {
        message: `${ruleName(rule)} allows every command of its class: it ${
          CLASS_PHRASES[name].does
        }`,
        ...(call === undefined ? {} : shown(context, call)),
        hint: "Name the intended programs, or ask",
      })];
    });
  },
};

/** A command of the class that the rule allows. */
function allowedCall(
  rule: CompiledRule,
  { name, context }: { readonly name: CommandClass; readonly context: LintContext },
): ToolCall | undefined {
  const profile = ruleSpecifier(rule, context.policy.profiles)?.profile;
  if (profile === undefined) return undefined;
  return CLASS_PHRASES[name].examples.flatMap((text) => callOf(profile, text) ?? [])
    .find((call) => {
      const verdict = tried(context, call);
      return verdict.action === "allow" && verdict.rule === rule;
    });
}
