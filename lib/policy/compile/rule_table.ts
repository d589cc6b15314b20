import { any, type Match } from "../../model/match.ts";
import type { Rule } from "../../model/rule.ts";
import type { ShellMode } from "../../model/settings.ts";
import type { ToolProfile } from "../../model/tool_profile.ts";
import { matchGlob } from "../../pattern/match_glob.ts";
import { parseSpecifier } from "../../pattern/parse_spec.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import type { Pattern, Specifier, ValueTest } from "../../pattern/pattern.ts";
import type { Request } from "./facts.ts";
import type { ToolProfiles } from "./profiles.ts";
import { type RuleMatcher, ruleMatcher } from "./rule_matcher.ts";
import type { CommandMode } from "./value_matcher.ts";

/** A rule whose pattern is parsed. */
export interface CompiledRule extends Rule {
  /** Its pattern's syntax. */
  readonly parsed: Pattern;
}

/** One rule, ready for the calls of one tool. */
export interface ToolRule {
  /** The rule. */
  readonly rule: CompiledRule;
  /** What it says about this tool's input; absent when that is nothing. */
  readonly specifier: Specifier | undefined;
  /** What it says about the file that the tool shares with others, where that is something else. */
  readonly also?: Specifier;
  /** Whether it fits the call. */
  readonly matches: (request: Request) => Match;
  /** How commands and paths are read. */
  readonly readAs:
    | { readonly shell: CommandMode; readonly context: PathContext }
    | undefined;
}

/** What entries are made for. */
export interface TableOptions {
  /** How commands are read. */
  readonly shell: ShellMode;
  /** What paths are measured against. */
  readonly context: PathContext;
  /** What is known about tools. */
  readonly profiles: ToolProfiles;
}

/** The rules that speak of one tool, in their order. */
export function toolRulesFor(
  rules: readonly CompiledRule[],
  options: TableOptions & { readonly profile: ToolProfile },
): readonly ToolRule[] {
  return rules.flatMap((rule) => toolRuleFor(rule, options) ?? []);
}

/** The rule for the calls of one tool; undefined when it does not speak of that tool. */
export function toolRuleFor(
  rule: CompiledRule,
  options: TableOptions & { readonly profile: ToolProfile },
): ToolRule | undefined {
  const { profile } = options;
  const named = matchGlob(rule.parsed.tool, profile.name);
  const own = named ? specifierFor(rule, profile) : undefined;
  const shared = own && hasPath(own) ? undefined : sharedSpecifier(rule, options);
  const spec = own && isMeaningful(own, profile) ? own : shared ?? own;
  const shell: CommandMode = profile.shell ?? options.shell;
  const reading = { shell, context: options.context };
  if (spec === undefined) {
    return named
      ? { rule, specifier: undefined, matches: indeterminate(rule), readAs: reading }
      : undefined;
  }
  const matcherOf = (each: Specifier) =>
    onFirstUse(() => ruleMatcher(each, { ...reading, profile, action: rule.action }));
  const matches = matcherOf(spec);
  if (shared === undefined || spec === shared || spec.kind === "any") {
    return { rule, specifier: spec, matches, readAs: reading };
  }
  // A pattern for many tools says one thing of this tool's own input, another of the file that it shares with others.
  const also = matcherOf(shared);
  return {
    rule,
    specifier: spec,
    also: shared,
    matches: (request) => any([matches(request), also(request)]),
    readAs: reading,
  };
}

/** A matcher that is made when it is first asked: most rules of a large policy never are. */
function onFirstUse(make: () => RuleMatcher): RuleMatcher {
  let matcher: RuleMatcher | undefined;
  return (request) => (matcher ??= make())(request);
}

/** A rule that speaks of other tools than the call's: it fits none of its calls. */
export function ruleForOtherTools(rule: CompiledRule): ToolRule {
  return { rule, specifier: undefined, matches: () => "no", readAs: undefined };
}

/** Whether a spec can fit a call of the tool at all: one on the first argument fits none of a tool without one. */
function isMeaningful(specifier: Specifier, profile: ToolProfile): boolean {
  return specifier.kind !== "argument" || profile.firstArg === undefined ||
    profile.firstArg.length > 0;
}

/** A spec that says nothing about this tool, as `*:~rm` about a path: an allow does not fit, another cannot be evaluated. */
function indeterminate(rule: CompiledRule): () => Match {
  return () => rule.action === "allow" ? "no" : "indeterminate";
}

function specifierFor(rule: CompiledRule, profile: ToolProfile): Specifier | undefined {
  const spec = parseSpecifier(rule.parsed, profile);
  return spec.ok ? spec.value : undefined;
}

/**
 * A deny or ask rule with a path on one tool that reads or edits files holds for every tool of the same class: the spec
 * as the rule's own tool reads it.
 */
function sharedSpecifier(
  rule: CompiledRule,
  { profile, profiles }: { profile: ToolProfile; profiles: ToolProfiles },
): Specifier | undefined {
  if (rule.action === "allow" || !touchesFiles(profile)) return undefined;
  for (const other of profiles.known) {
    if (
      other.class !== profile.class || other.kind !== "path" ||
      !matchGlob(rule.parsed.tool, other.name)
    ) continue;
    const spec = specifierFor(rule, other);
    if (spec && hasPath(spec)) return spec;
  }
  return undefined;
}

function touchesFiles(profile: ToolProfile): boolean {
  if (profile.class !== "edit" && profile.class !== "read") return false;
  return profile.kind === "path" || profile.searches !== undefined;
}

function hasPath(specifier: Specifier): boolean {
  const isPath = (test: ValueTest) => test.kind === "path";
  if (specifier.kind === "argument") return isPath(specifier.test);
  return specifier.kind === "fields" &&
    specifier.fields.some((field) => field.first && isPath(field.test));
}
