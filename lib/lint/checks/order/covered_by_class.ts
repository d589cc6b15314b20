import { evaluate } from "../../../decide/evaluate.ts";
import { callOf, type CommandClass, type ToolCall } from "../../../model/call.ts";
import type { Rule } from "../../../model/rule.ts";
import { matchGlob } from "../../../pattern/glob.ts";
import type { CompiledPolicy } from "../../../policy/compile/compiled_policy.ts";
import { type Check, example, type LintContext, type LintedRule, rule } from "../../check.ts";
import { foundAt, hasEnded, ruleAt, ruleName, shown } from "../../place_finding.ts";
import { type CommandRule, commandRule, ruleSpecifier } from "../../rule_specifier.ts";

/** The most calls that are tried for all rules; the rules after them are not looked at. */
const MOST_CALLS = 2000;

/** Classes whose allow counts in every mode; in `plan` those of the others do not. */
const IN_ALL_MODES: readonly CommandClass[] = ["read", "service-read"];

/** Allow rules for a program that allow what the rule for a class allows. */
export const coveredByClass: Check = {
  id: "covered-by-class",
  severity: "note",
  docs: {
    what:
      "An allow for a program that an allow for a class makes redundant, for all calls that lint tried",
    why:
      "The rule for the class gives the same answer to every call that lint tried: with each option of one letter, " +
      "with files and without. Long lists hide the rules that matter. Without the rule, caliban asks about a variable that the line " +
      "does not set, and about an option that is not in the program's table. The check ignores deny and ask rules: they stop more spellings than a class does.",
    avoid: example([rule("Bash(wc:*)", "allow"), rule("Bash(@read)", "allow")]),
    prefer: example([rule("Bash(@read)", "allow")]),
  },
  find(context) {
    const programs = programRules(context);
    const classes = classRules(context.policy);
    if (programs.length === 0 || classes.length === 0) return [];
    const without = policyWithout(context.policy, programs.map(({ linted }) => linted.rule));
    if (without === undefined) return [];
    const budget = { left: MOST_CALLS };
    return programs.flatMap((each) => {
      const found = covered(each, { context, without, budget });
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
          "Remove it, unless you need it for variables, or for options that are not in the program's table",
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
  });
}

/** The allow rules for a class that counts in every mode. */
function classRules({ rules, profiles }: CompiledPolicy): readonly Rule[] {
  return rules.filter((each) => {
    const specifier = each.action === "allow"
      ? ruleSpecifier(each, profiles)?.specifier
      : undefined;
    return specifier?.kind === "class" && IN_ALL_MODES.includes(specifier.name);
  });
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
  { context: { policy, now }, without, budget }: {
    readonly context: LintContext;
    readonly without: CompiledPolicy;
    readonly budget: { left: number };
  },
): Covered | undefined {
  const classes = classRules(policy);
  const calls: ToolCall[] = [];
  let by: Rule | undefined;
  for (const text of textsOf(command)) {
    const call = callOf(command.profile, text);
    if (call === undefined || budget.left-- <= 0) return undefined;
    const { units, action, rule: decider } = evaluate(policy, call, { now });
    if (action !== "allow" || units.some(({ classes }) => classes.includes("unknown"))) continue;
    const other = evaluate(without, call, { now });
    const own = classes.find((each) => isSamePlace(each, other.rule));
    if (other.action !== "allow" || own === undefined) return undefined;
    if (decider === rule || isSamePlace(own, decider)) by ??= own;
    calls.push(call);
  }
  return by === undefined ? undefined : { calls, by };
}

/** True if two policies have the same rule. */
function isSamePlace({ source }: Rule, other: Rule | null): boolean {
  return other !== null && source.path === other.source.path &&
    source.line === other.source.line && source.column === other.source.column;
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
  ...[...LETTERS].map((letter) => ` -${letter} a.txt`),
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
