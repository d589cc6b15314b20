import { evaluate } from "../../../decide/evaluate.ts";
import { callOf, type ToolCall } from "../../../model/call.ts";
import { rulesAlone } from "../../../suggest/policy_with_rules.ts";
import type { CompiledPolicy } from "../../../policy/compile/compiled_policy.ts";
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
import { foundAt, ruleName, tried } from "../../place_finding.ts";
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
    const missed = context.rules.flatMap((linted) => missedAt(linted, context));
    // Made once: a policy for each rule would cost more than everything else.
    const together = rulesAlone(context.policy, missed.map(({ pattern }) => allow(pattern)));
    return missed.filter((each) => wouldAllow(each, { context, together })).map(foundFor);
  },
};

/** A rule whose command without arguments no written rule applies to. */
interface Missed {
  readonly linted: LintedRule;
  readonly head: string;
  /** The call without arguments, which asks. */
  readonly bare: ToolCall;
  /** The pattern that matches it too. */
  readonly pattern: string;
}

function missedAt(linted: LintedRule, context: LintContext): readonly Missed[] {
  const { rule } = linted;
  const command = rule.action === "allow" ? commandRule(rule, context.policy.profiles) : undefined;
  const head = command && headOf(command);
  if (command === undefined || head === undefined) return [];
  const bare = callOf(command.profile, head);
  const full = callOf(command.profile, `${head} x`);
  if (bare === undefined || full === undefined || tried(context, full).rule !== rule) return [];
  const { action, rule: decider } = tried(context, bare);
  if (action !== "ask" || decider !== null && decider.source.kind !== "builtin") return [];
  const pattern = printPattern(patternOf(rule.parsed.tool, {
    kind: "argument",
    test: { kind: "command", anchor: "prefix", glob: literalGlob(head) },
  }));
  return [{ linted, head, bare, pattern }];
}

function foundFor({ linted, head, bare, pattern }: Missed): Found {
  return foundAt(linted, {
    message: `${ruleName(linted.rule)} does not match "${printGlob(literalGlob(head))}" alone`,
    witness: bare,
    verdict: "ask",
    hint: `Write "${pattern}" to match both`,
    fix: {
      title: `Write "${pattern}"`,
      verdicts: "changes",
      edits: [{ span: linted.written.pattern.span, text: tomlString(pattern) }],
    },
  });
}

/** The literal text before a final ` *`; undefined for any other glob. */
function headOf({ glob, anchor }: CommandRule): string | undefined {
  const [text, run, more] = glob;
  if (anchor !== "whole" || text?.kind !== "text" || run?.kind !== "star" || more !== undefined) {
    return undefined;
  }
  return /\S $/.test(text.text) ? text.text.slice(0, -1) : undefined;
}

/** True if an allow with the pattern would by itself allow the command without arguments. */
function wouldAllow(
  { bare, pattern }: Missed,
  { context: { policy }, together }: {
    readonly context: LintContext;
    /** The policy of the patterns of all rules. */
    readonly together: CompiledPolicy | undefined;
  },
): boolean {
  if (together !== undefined) {
    // A call that all allows together do not allow is allowed by none of them, and one that meets a single rule needs no other.
    const { action, units } = evaluate(together, bare);
    if (action !== "allow") return false;
    const steps = units.flatMap((unit) => unit.steps);
    if (steps.every(({ rule }) => rule.pattern === pattern)) return true;
  }
  const alone = rulesAlone(policy, [allow(pattern)]);
  return alone !== undefined && evaluate(alone, bare).action === "allow";
}

function allow(pattern: string) {
  return { pattern, action: "allow" } as const;
}
