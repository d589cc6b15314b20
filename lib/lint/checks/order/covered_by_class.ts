import { decide } from "../../../decide/decide.ts";
import { evaluateCall } from "../../../decide/evaluate.ts";
import { defaultMode, type Mode, modeNamed } from "../../../decide/modes.ts";
import { type Action, callOf, type ToolCall } from "../../../model/call.ts";
import type { Rule } from "../../../model/rule.ts";
import { matchGlob } from "../../../pattern/glob.ts";
import type { CompiledPolicy } from "../../../policy/compile/compiled_policy.ts";
import { type Check, example, type LintContext, type LintedRule, rule } from "../../check.ts";
import { foundAt, hasEnded, ruleAt, ruleName, shown } from "../../place_finding.ts";
import { type CommandRule, commandRule, ruleSpecifier } from "../../rule_specifier.ts";

/** The most rules that are tried; each takes some milliseconds. */
const MOST_RULES = 200;

/** The modes in which calls are compared: in `plan` an allow of most classes does not count. */
const MODES: readonly Mode[] = [defaultMode, modeNamed("plan") ?? defaultMode];

/** Allow rules for a program that allow what the rule for a class allows. */
export const coveredByClass: Check = {
  id: "covered-by-class",
  severity: "note",
  docs: {
    what:
      "An allow for a program that makes no difference beside the allow for a class, for the calls that were tried",
    why:
      "The rule for the class decides the same for every call of the program that was tried: with each option of one letter, " +
      "with files and without. Long lists hide the rules that matter. Without the rule, a variable that the line does not " +
      "set and an option that the table of the program does not name are questions. Deny and ask rules are never found: they stop more spellings than a class does.",
    avoid: example([rule("Bash(wc:*)", "allow"), rule("Bash(@read)", "allow")]),
    prefer: example([rule("Bash(@read)", "allow")]),
  },
  find(context) {
    const programs = programRules(context);
    const classes = classRules(context.policy);
    if (programs.length === 0 || classes.length === 0) return [];
    const without = policyWithout(context.policy, programs.map(({ linted }) => linted.rule));
    if (without === undefined) return [];
    return programs.flatMap((each) => {
      const found = covered(each, { context, without });
      if (found === undefined) return [];
      const { calls, by } = found;
      const { linted } = each;
      const name = ruleAt(by, { policy: context.policy, from: linted.rule });
      const count = calls.length === 1 ? "the call" : `${calls.length} calls`;
      return [foundAt(linted, {
        message: `${ruleName(linted.rule)} makes no difference for ${count} that ${
          calls.length === 1 ? "was" : "were"
        } tried: ${name} decides the same`,
        ...shown(context, calls[0]!),
        related: [by],
        hint:
          "Remove it, unless it is meant for variables or for options that its table does not name",
      })];
    });
  },
};

interface ProgramRule {
  readonly linted: LintedRule;
  readonly command: CommandRule;
}

/** The allow rules about programs, those that end left out. */
function programRules(context: LintContext): readonly ProgramRule[] {
  return context.rules.filter((linted) =>
    linted.rule.action === "allow" && linted.rule.expiresAt === undefined &&
    !hasEnded(context, linted)
  ).flatMap((linted) => {
    const command = commandRule(linted.rule, context.policy.profiles);
    return command === undefined ? [] : [{ linted, command }];
  }).slice(0, MOST_RULES);
}

function classRules({ rules, profiles }: CompiledPolicy): readonly Rule[] {
  return rules.filter((each) =>
    each.action === "allow" && ruleSpecifier(each, profiles)?.specifier.kind === "class"
  );
}

/** The policy without all of these rules: what it allows, it allows with any of them too. */
function policyWithout(
  policy: CompiledPolicy,
  rules: readonly Rule[],
): CompiledPolicy | undefined {
  const indexes = new Set(rules.map(({ index }) => index));
  const { sources } = policy;
  return policy.with({ ...sources, rules: sources.rules.filter((_, at) => !indexes.has(at)) });
}

interface Covered {
  /** The calls that were tried; at least one. */
  readonly calls: readonly ToolCall[];
  /** The rule for a class that allows the first of them. */
  readonly by: Rule;
}

/** The calls of a rule that are allowed without it too; undefined if one of those that a table knows is not. */
function covered(
  { linted: { rule }, command }: ProgramRule,
  { context, without }: { readonly context: LintContext; readonly without: CompiledPolicy },
): Covered | undefined {
  const { policy, now } = context;
  const calls: ToolCall[] = [];
  let by: Rule | undefined;
  for (const text of textsOf(command)) {
    const call = callOf(command.profile, text);
    if (call === undefined) return undefined;
    const evaluation = evaluateCall(policy, call, { now });
    const { units, action, rule: decider } = evaluation.verdict;
    if (units.some(({ classes }) => classes.includes("unknown"))) continue;
    if (action !== "allow") continue;
    const other = evaluateCall(without, call, { now });
    const isSame = MODES.every((mode) =>
      decisionOf(policy, { evaluation, mode }) === decisionOf(without, { evaluation: other, mode })
    );
    if (!isSame) return undefined;
    const own = other.verdict.rule;
    if (own !== null && (decider === rule || decider?.pattern === own.pattern)) {
      by ??= policy.rules.find((each) =>
        each.pattern === own.pattern && each.source.path === own.source.path &&
        each.source.line === own.source.line && each.source.column === own.source.column
      );
    }
    calls.push(call);
  }
  const isOfClass = by !== undefined &&
    ruleSpecifier(policy.rules[by.index]!, policy.profiles)?.specifier.kind === "class";
  return isOfClass ? { calls, by: by! } : undefined;
}

function decisionOf(
  policy: CompiledPolicy,
  { evaluation, mode }: {
    readonly evaluation: ReturnType<typeof evaluateCall>;
    readonly mode: Mode;
  },
): Action {
  return decide(policy, evaluation, { mode }).decision;
}

const LETTERS = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

/** The endings that are tried behind the text of a rule. */
const ENDINGS: readonly string[] = [
  "",
  " a.txt",
  " src/a.ts docs/b.md",
  " .",
  " /etc/hosts",
  " .env",
  ...[...LETTERS].flatMap((letter) => [` -${letter}`, ` -${letter} a.txt`, ` -${letter} 1 a.txt`]),
];

/** Commands that the rule matches: its own text, and where it ends in a wildcard, with each ending. */
function textsOf({ glob, anchor }: CommandRule): readonly string[] {
  const [first, star, ...rest] = glob;
  if (first?.kind !== "text" || rest.length > 0 || anchor === "contains") return [];
  if (star === undefined) {
    return anchor === "whole" ? [first.text] : ENDINGS.map((ending) => first.text + ending);
  }
  if (star.kind !== "star") return [];
  const texts = ENDINGS.map((ending) => first.text.trimEnd() + ending);
  return texts.filter((text) => matchGlob(glob, text));
}
