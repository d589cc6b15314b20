import { hasEnd } from "../decide/first_match.ts";
import type { Rule } from "../model/rule.ts";
import type { ToolProfile } from "../model/call.ts";
import type { Glob } from "../pattern/glob.ts";
import { namedTool, type Specifier } from "../pattern/parse_pattern.ts";
import { parseSpecifier } from "../pattern/parse_specifier.ts";
import { canonicalText } from "../pattern/print_pattern.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import type { CompiledRule } from "../policy/compile/compiled_policy.ts";
import type { LintContext, LintedRule } from "./check.ts";

/** A rule's specifier for the one tool that it names. */
export interface RuleSpecifier {
  readonly profile: ToolProfile;
  /** The specifier as that tool reads it. */
  readonly specifier: Specifier;
}

/** The specifiers that were parsed for a policy's tools: most checks ask for that of each rule. */
const specifiers = new WeakMap<ToolProfiles, Map<CompiledRule, RuleSpecifier | undefined>>();

/** The specifier of a rule for the tool that it names; undefined if its tool is a glob. */
export function ruleSpecifier(
  rule: CompiledRule,
  profiles: ToolProfiles,
): RuleSpecifier | undefined {
  let known = specifiers.get(profiles);
  if (known === undefined) specifiers.set(profiles, known = new Map());
  if (!known.has(rule)) known.set(rule, parsedSpecifier(rule, profiles));
  return known.get(rule);
}

function parsedSpecifier(
  { parsed }: CompiledRule,
  profiles: ToolProfiles,
): RuleSpecifier | undefined {
  const name = namedTool(parsed);
  if (name === undefined) return undefined;
  const profile = profiles.get(name);
  const spec = parseSpecifier(parsed, profile);
  return spec.ok ? { profile, specifier: spec.value } : undefined;
}

/** A rule about the command of a command tool. */
export interface CommandRule {
  readonly profile: ToolProfile;
  /** The glob over the command. */
  readonly glob: Glob;
  /** The part of the command that the glob must match. */
  readonly anchor: "whole" | "prefix" | "contains";
}

/** The command test of a rule for the tool that it names; undefined for any other rule. */
export function commandRule(rule: CompiledRule, profiles: ToolProfiles): CommandRule | undefined {
  const found = ruleSpecifier(rule, profiles);
  if (found?.specifier.kind !== "argument" || found.specifier.test.kind !== "command") {
    return undefined;
  }
  const { glob, anchor } = found.specifier.test;
  return { profile: found.profile, glob, anchor };
}

/** A rule with the pattern of an earlier one of its file. */
interface Repeated {
  readonly linted: LintedRule;
  /** The first rule of the file with that pattern. */
  readonly first: Rule;
}

/**
 * Every rule whose pattern an earlier rule of the same file has, in any spelling. A rule that ends is no
 * earlier one: the later rule replaces it then.
 */
export function repeatedPatterns(context: LintContext): readonly Repeated[] {
  let found = repeated.get(context);
  if (!found) repeated.set(context, found = findRepeated(context));
  return found;
}

/** Several checks ask about them. */
const repeated = new WeakMap<LintContext, readonly Repeated[]>();

function findRepeated({ rules, policy }: LintContext): readonly Repeated[] {
  const firsts = new Map<string, Rule>();
  return rules.flatMap((linted) => {
    const key = `${linted.file.path}\n${canonicalText(linted.rule.parsed, policy.profiles)}`;
    const first = firsts.get(key);
    if (first !== undefined) return [{ linted, first }];
    if (!hasEnd(linted.rule, policy.settings)) firsts.set(key, linted.rule);
    return [];
  });
}

/** The rules that `duplicate` and `contradiction` report. */
export function repeatedRules(context: LintContext): ReadonlySet<Rule> {
  return new Set(repeatedPatterns(context).map(({ linted }) => linted.rule));
}
