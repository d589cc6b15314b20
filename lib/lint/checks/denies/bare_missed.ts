import { evaluate } from "../../../decide/evaluate.ts";
import { callOf, type ToolCall } from "../../../model/call.ts";
import { rulesAlone } from "../../../suggest/policy_with_rules.ts";
import { literalGlob, printGlob } from "../../../pattern/glob.ts";
import { patternOf, printPattern } from "../../../pattern/print_pattern.ts";
import { tomlString } from "../../../text/toml_text.ts";
import {
  type Check,
  example,
  type Found,
  type LintContext,
  type LintedRule,
  rule,
} from "../../check.ts";
import { foundAt, ruleName, shown, tried } from "../../place_finding.ts";
import { type CommandRule, commandRule } from "../../rule_specifier.ts";

/** Allow rules that do not fit the command without arguments. */
export const bareMissed: Check = {
  id: "bare-missed",
  severity: "note",
  docs: {
    what: 'An allow "Bash:git push *" that does not match "git push" alone, and no other rule does',
    why:
      "The space before the star is required, so the command without arguments asks. (A deny or ask of that form does " +
      "match it.)",
    avoid: example([rule("Bash:git push *", "allow")]),
    prefer: example([rule("Bash(git push:*)", "allow")]),
  },
  find(context) {
    return context.rules.flatMap((linted) => bareMissedAt(linted, context));
  },
};

function bareMissedAt(linted: LintedRule, context: LintContext): readonly Found[] {
  const { rule, written } = linted;
  const command = rule.action === "allow" ? commandRule(rule, context.policy.profiles) : undefined;
  const head = command && headOf(command);
  if (command === undefined || head === undefined) return [];
  const bare = callOf(command.profile, head);
  const full = callOf(command.profile, `${head} x`);
  if (bare === undefined || full === undefined || tried(context, full).rule !== rule) return [];
  const pattern = printPattern(patternOf(rule.parsed.tool, {
    kind: "argument",
    test: { kind: "command", anchor: "prefix", glob: literalGlob(head) },
  }));
  if (!isMissed(bare, { pattern, context })) return [];
  return [foundAt(linted, {
    message: `${ruleName(rule)} does not match "${printGlob(literalGlob(head))}" alone`,
    ...shown(context, bare),
    hint: `Write "${pattern}" to match both`,
    fix: {
      title: `Write "${pattern}"`,
      verdicts: "changes",
      edits: [{ span: written.pattern.span, text: tomlString(pattern) }],
    },
  })];
}

/** The literal text before a final ` *`; undefined for any other glob. */
function headOf({ glob, anchor }: CommandRule): string | undefined {
  const [text, run, more] = glob;
  if (anchor !== "whole" || text?.kind !== "text" || run?.kind !== "star" || more !== undefined) {
    return undefined;
  }
  return /\S $/.test(text.text) ? text.text.slice(0, -1) : undefined;
}

/** True if no written rule applies to the command without arguments, and the pattern would allow it. */
function isMissed(
  bare: ToolCall,
  { pattern, context }: { pattern: string; context: LintContext },
): boolean {
  const { action, rule } = tried(context, bare);
  if (action !== "ask" || rule !== null && rule.source.kind !== "builtin") return false;
  const alone = rulesAlone(context.policy, [{ pattern, action: "allow" }]);
  return alone !== undefined && evaluate(alone, bare).action === "allow";
}
