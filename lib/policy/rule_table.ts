import { any, type Match } from "../model/match.ts";
import type { Rule } from "../model/rule.ts";
import type { ShellMode } from "../model/settings.ts";
import type { ToolProfile } from "../model/tool_profile.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { parseSpec } from "../pattern/parse_spec.ts";
import type { PathContext } from "../pattern/path_facts.ts";
import type { Pattern, Spec, ValueTest } from "../pattern/pattern.ts";
import type { Facts } from "../tools/facts.ts";
import type { ToolProfiles } from "../tools/profiles.ts";
import { type RuleMatcher, ruleMatcher } from "./rule_matcher.ts";
import type { CommandReading } from "./value_matcher.ts";

/** A rule whose pattern is parsed. */
export interface CompiledRule extends Rule {
  /** Its pattern's syntax. */
  readonly parsed: Pattern;
}

/** One rule, ready for the calls of one tool. */
export interface Entry {
  /** The rule. */
  readonly rule: CompiledRule;
  /** What it says about this tool's input; absent when that is nothing. */
  readonly spec: Spec | undefined;
  /** What it says about the file that the tool shares with others, where that is something else. */
  readonly also?: Spec;
  /** Whether it fits the call. */
  readonly matches: (facts: Facts) => Match;
  /** How commands and paths are read. */
  readonly reading:
    | { readonly shell: CommandReading; readonly context: PathContext }
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
export function entriesFor(
  rules: readonly CompiledRule[],
  options: TableOptions & { readonly profile: ToolProfile },
): readonly Entry[] {
  return rules.flatMap((rule) => entryFor(rule, options) ?? []);
}

/** The rule for the calls of one tool; undefined when it does not speak of that tool. */
export function entryFor(
  rule: CompiledRule,
  options: TableOptions & { readonly profile: ToolProfile },
): Entry | undefined {
  const { profile } = options;
  const named = matchGlob(rule.parsed.tool, profile.name);
  const own = named ? specFor(rule, profile) : undefined;
  const shared = own && hasPath(own) ? undefined : sharedSpec(rule, options);
  const spec = own && saysSomething(own, profile) ? own : shared ?? own;
  const shell: CommandReading = profile.shell ?? options.shell;
  const reading = { shell, context: options.context };
  if (spec === undefined) {
    return named ? { rule, spec: undefined, matches: unreadable(rule), reading } : undefined;
  }
  const matcherOf = (each: Spec) =>
    onFirstUse(() => ruleMatcher(each, { ...reading, profile, action: rule.action }));
  const matches = matcherOf(spec);
  if (shared === undefined || spec === shared || spec.kind === "any") {
    return { rule, spec, matches, reading };
  }
  // A pattern for many tools says one thing of this tool's own input, another of the file that it shares with others.
  const also = matcherOf(shared);
  return {
    rule,
    spec,
    also: shared,
    matches: (facts) => any([matches(facts), also(facts)]),
    reading,
  };
}

/** A matcher that is made when it is first asked: most rules of a large policy never are. */
function onFirstUse(make: () => RuleMatcher): RuleMatcher {
  let matcher: RuleMatcher | undefined;
  return (facts) => (matcher ??= make())(facts);
}

/** A rule that speaks of other tools than the call's: it fits none of its calls. */
export function entryOfOthers(rule: CompiledRule): Entry {
  return { rule, spec: undefined, matches: () => "no", reading: undefined };
}

/** Whether a spec can fit a call of the tool at all: one on the first argument fits none of a tool without one. */
function saysSomething(spec: Spec, profile: ToolProfile): boolean {
  return spec.kind !== "first" || profile.firstArg === undefined || profile.firstArg.length > 0;
}

/** A spec that says nothing about this tool, as `*:~rm` about a path: an allow does not fit, another cannot be evaluated. */
function unreadable(rule: CompiledRule): () => Match {
  return () => rule.action === "allow" ? "no" : "unknown";
}

function specFor(rule: CompiledRule, profile: ToolProfile): Spec | undefined {
  const spec = parseSpec(rule.parsed, profile);
  return spec.ok ? spec.value : undefined;
}

/**
 * A deny or ask rule with a path on one tool that reads or edits files holds for every tool of the same class: the spec
 * as the rule's own tool reads it.
 */
function sharedSpec(
  rule: CompiledRule,
  { profile, profiles }: { profile: ToolProfile; profiles: ToolProfiles },
): Spec | undefined {
  if (rule.action === "allow" || !touchesFiles(profile)) return undefined;
  for (const other of profiles.known) {
    if (
      other.class !== profile.class || other.kind !== "path" ||
      !matchGlob(rule.parsed.tool, other.name)
    ) continue;
    const spec = specFor(rule, other);
    if (spec && hasPath(spec)) return spec;
  }
  return undefined;
}

function touchesFiles(profile: ToolProfile): boolean {
  if (profile.class !== "edit" && profile.class !== "read") return false;
  return profile.kind === "path" || profile.searches !== undefined;
}

function hasPath(spec: Spec): boolean {
  const isPath = (test: ValueTest) => test.kind === "path";
  if (spec.kind === "first") return isPath(spec.test);
  return spec.kind === "fields" && spec.fields.some((field) => field.first && isPath(field.test));
}
