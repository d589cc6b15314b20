import type { ShellMode, ToolCall, ToolProfile } from "../../model/call.ts";
import type { MergedSources, Rule, Settings } from "../../model/rule.ts";
import { any, type Match } from "../../model/verdict.ts";
import { matchGlob } from "../../pattern/glob.ts";
import type { Pattern, Specifier, ValueTest } from "../../pattern/parse_pattern.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import type { ToolProfiles } from "./profiles.ts";
import { Request } from "./request.ts";
import { lineParser } from "./line_parser.ts";
import type { ParseCommand, RequestOptions } from "./request_options.ts";
import { onFirstUse, plainRuleFor, specifierFor } from "./plain_rule.ts";
import { CalledTools, ToolGroups, touchesFiles } from "./tool_groups.ts";
import { ruleMatcher } from "./rule_matcher.ts";
import type { CommandMode } from "./value_matcher.ts";

/** The parts of a compiled policy. */
export interface PolicyParts {
  /** All rules, highest first. */
  readonly rules: readonly CompiledRule[];
  /** The sources that they come from. */
  readonly merged: MergedSources;
  readonly profiles: ToolProfiles;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  /** The folder of calls that name none. */
  readonly cwd: string;
  /** Compiles other sources for the same surroundings; undefined when they have an error. */
  readonly recompile: (merged: MergedSources) => CompiledPolicy | undefined;
}

/** All rules of all sources in one ordered list, compiled. It never changes. */
export class CompiledPolicy implements RuleSet {
  /** All rules, highest first; each rule's `index` is its place here. */
  readonly rules: readonly CompiledRule[];
  /** The settings that count. */
  readonly settings: Settings;
  /** The merged sources, with the parts that were ignored. */
  readonly sources: MergedSources;
  readonly profiles: ToolProfiles;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
  /** The folder of calls that name none; absolute. */
  readonly cwd: string;
  readonly #parts: PolicyParts;
  readonly #tools: CalledTools;
  #groups: ToolGroups | undefined;
  readonly #parse: ParseCommand;
  /** The options of the last request. */
  #options: RequestOptions | undefined;
  readonly #derived = new Map<unknown, unknown>();

  /** Made by `compilePolicy`. */
  constructor(parts: PolicyParts) {
    this.rules = parts.rules;
    this.settings = parts.merged.settings;
    this.sources = parts.merged;
    this.profiles = parts.profiles;
    this.context = parts.context;
    this.cwd = parts.cwd;
    this.#parts = parts;
    this.#parse = lineParser(parts);
    this.#tools = new CalledTools(parts.profiles, (profile) => this.#rulesFor(profile));
  }

  /** A request of this policy: the call with its tool's profile, its folder and, where it has one, its command line. */
  request(
    call: ToolCall,
    { isPlaced, reading }: Pick<RequestOptions, "isPlaced" | "reading"> = {},
  ): Request {
    const options = this.#optionsFor(call);
    if (isPlaced === undefined && reading === undefined) return new Request(call, options);
    const placed = isPlaced === undefined ? options : { ...options, isPlaced };
    return new Request(call, reading === undefined ? placed : { ...placed, reading });
  }

  /** The policy's side of a call; agents mostly stay in one folder. */
  #optionsFor({ cwd = this.cwd }: ToolCall): RequestOptions {
    if (this.#options?.cwd === cwd) return this.#options;
    return this.#options = {
      tools: this.#tools,
      cwd,
      context: this.context,
      parse: this.#parse,
      shell: this.settings.shell,
    };
  }

  /** The policy of other sources for the same surroundings; undefined when they have an error. */
  with(sources: MergedSources): CompiledPolicy | undefined {
    return this.#parts.recompile(sources);
  }

  /** A value that depends on the policy alone; made on first use and kept. */
  derived<T>(make: (policy: CompiledPolicy) => T): T {
    if (!this.#derived.has(make)) this.#derived.set(make, make(this));
    return this.#derived.get(make) as T;
  }

  /** Every rule that speaks of the tool, in order. */
  toolRules(tool: string): readonly ToolRule[] {
    return this.#tools.named(tool).rules;
  }

  /** Every rule that speaks of the tool and is not built in, in order. */
  writtenRules(tool: string): readonly ToolRule[] {
    return this.#tools.named(tool).writtenRules;
  }

  /** The rules that may fit the call, in order; what is left out does not fit. */
  candidates(request: Request): readonly ToolRule[] {
    return this.#tools.of(request.profile).candidates(request);
  }

  #rulesFor(profile: ToolProfile): readonly ToolRule[] {
    this.#groups ??= new ToolGroups(this.rules);
    return toolRulesFor(this.#groups.rulesFor(profile, this.profiles), {
      profile,
      profiles: this.profiles,
      shell: this.settings.shell,
      context: this.#parts.context,
    });
  }
}

/** A rule whose pattern is parsed. */
export interface CompiledRule extends Rule {
  /** Its pattern's syntax. */
  readonly parsed: Pattern;
}

/** One rule, ready for the calls of one tool. */
export interface ToolRule {
  readonly rule: CompiledRule;
  /** Its specifier for this tool's input; undefined if it has none that applies. */
  readonly specifier: Specifier | undefined;
  /** The literal text that its commands begin with, where that is known before its pattern is parsed. */
  readonly head?: string | undefined;
  /** A second specifier, for the file that the tool shares with others. */
  readonly also?: Specifier | undefined;
  /** Its match with a call. */
  readonly matches: (request: Request) => Match;
  /** The cost of a trial, where it is not that of the specifier. */
  readonly cost?: number | undefined;
  /** The surroundings of its commands and paths; undefined for a rule of other tools. */
  readonly readAs:
    | { readonly shell: CommandMode; readonly context: PathContext }
    | undefined;
}

/** The surroundings that rules are compiled for. */
export interface TableOptions {
  readonly shell: ShellMode;
  /** The folders and links that paths are resolved with. */
  readonly context: PathContext;
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
  const plain = plainRuleFor(rule, options);
  if (plain !== undefined) return plain;
  const named = namesTool(rule, profile);
  const own = named ? specifierFor(rule, profile) : undefined;
  const shared = own && hasPath(own) ? undefined : sharedSpecifier(rule, options);
  const specifier = own && isMeaningful(own, profile) ? own : shared ?? own;
  const shell: CommandMode = profile.shell === "other" ? "other" : options.shell;
  const reading = { shell, context: options.context };
  const { action, source } = rule;
  if (specifier === undefined) {
    return named
      ? { rule, specifier: undefined, matches: indeterminate(rule), readAs: reading }
      : undefined;
  }
  const matcherOf = (each: Specifier) =>
    onFirstUse(() => ruleMatcher(each, { ...reading, profile, action, source: source.kind }));
  const matches = matcherOf(specifier);
  if (shared === undefined || specifier === shared || specifier.kind === "any") {
    return { rule, specifier, matches, readAs: reading };
  }
  // A pattern for many tools may have one specifier for this tool's own input, another for the file that it shares.
  const also = matcherOf(shared);
  return {
    rule,
    specifier,
    also: shared,
    matches: (request) => any([matches(request), also(request)]),
    readAs: reading,
  };
}

/** True if a rule names the tool, or the one that it is another name of. */
export function namesTool(
  { parsed, action }: CompiledRule,
  { name, aliasOf, isUntrusted }: ToolProfile,
): boolean {
  if (matchGlob(parsed.tool, name)) return true;
  if (aliasOf === undefined || action === "allow" && isUntrusted) return false;
  return matchGlob(parsed.tool, aliasOf);
}

/** A rule that speaks of other tools than the call's: it fits none of its calls. */
export function ruleForOtherTools(rule: CompiledRule): ToolRule {
  return { rule, specifier: undefined, matches: () => "no", readAs: undefined };
}

/** True if a specifier can fit a call of the tool: one on the first argument fits none of a tool without one. */
function isMeaningful(specifier: Specifier, profile: ToolProfile): boolean {
  return specifier.kind !== "argument" || profile.firstArg === undefined ||
    profile.firstArg.length > 0;
}

/** The match of a specifier that does not apply to the tool, as `*:~rm` to a path: an allow does not fit, another cannot be evaluated. */
function indeterminate(rule: CompiledRule): () => Match {
  return () => rule.action === "allow" ? "no" : "indeterminate";
}

/**
 * A deny or ask rule with a path on one tool that reads or edits files holds for every tool of the same class: the specifier
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
    const specifier = specifierFor(rule, other);
    if (specifier && hasPath(specifier)) return specifier;
  }
  return undefined;
}

function hasPath(specifier: Specifier): boolean {
  const isPath = (test: ValueTest) => test.kind === "path";
  if (specifier.kind === "argument") return isPath(specifier.test);
  return specifier.kind === "fields" &&
    specifier.fields.some((field) => field.isArgument && isPath(field.test));
}

/** The rules of a policy, as far as the evaluator needs one. */
export interface RuleSet {
  /** All rules, highest first; each rule's `index` is its place here. */
  readonly rules: readonly CompiledRule[];
  /** The settings that rules are evaluated with. */
  readonly settings: Pick<Settings, "enforceExpiry">;
  /** The rules that may fit the request, in order; those left out do not fit. */
  candidates(request: Request): readonly ToolRule[];
  /** Every rule that speaks of the tool, in order. */
  toolRules(tool: string): readonly ToolRule[];
  /** Every rule that speaks of the tool and is not built in, in order. */
  writtenRules(tool: string): readonly ToolRule[];
}
