import { evaluate } from "../../decide/evaluate.ts";
import type { ToolCall } from "../../model/call.ts";
import { rulesAlone } from "../../suggest/rules_alone.ts";
import { literalGlob, printGlob } from "../../pattern/glob.ts";
import { patternOf, printPattern } from "../../pattern/print_pattern.ts";
import { tomlString } from "../../text/toml_text.ts";
import { example, rule } from "../example.ts";
import type { Check, Found } from "../check.ts";
import type { LintContext, LintedRule } from "../lint_context.ts";
import { foundAt, shown, tried } from "../found_at.ts";
import { callOf, type CommandRule, commandRule } from "../rule_spec.ts";
import { ruleName } from "../words.ts";

/** Allow rules that miss the command without arguments. */
export const bareMissed: Check = {
  id: "bare-missed",
  severity: "note",
  docs: {
    what: 'An allow "Bash:git push *" that does not fit "git push" alone, with no rule that does',
    why:
      "The blank before the star belongs to what must be there, so the command without arguments asks. (A deny or " +
      "ask of that form does fit it.)",
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
    message: `${ruleName(rule)} does not fit "${printGlob(literalGlob(head))}" alone`,
    ...shown(context, bare),
    hint: `Write "${pattern}" for both`,
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

/** Whether no written rule speaks of the command without arguments, and the pattern would allow it. */
function isMissed(
  bare: ToolCall,
  { pattern, context }: { pattern: string; context: LintContext },
): boolean {
  const { action, rule } = tried(context, bare);
  if (action !== "ask" || rule !== null && rule.source.kind !== "builtin") return false;
  const alone = rulesAlone(context.policy, [{ pattern, action: "allow" }]);
  return alone !== undefined && evaluate(alone, bare).action === "allow";
}
