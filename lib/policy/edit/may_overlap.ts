import type { Action, ToolProfile } from "../../model/call.ts";
import type { RuleSource } from "../../model/rule.ts";
import { type Glob, globsOverlap, literalHead, onlyText } from "../../pattern/glob.ts";
import { parsePattern, type Pattern, type ValueTest } from "../../pattern/parse_pattern.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { linkedPattern } from "../../pattern/path/match_path.ts";
import type { PathPattern } from "../../pattern/path/path_pattern.ts";
import { foldCase } from "../../pattern/unicode.ts";
import { type ToolRule, toolRuleFor } from "../compile/compiled_policy.ts";
import type { ToolProfiles } from "../compile/profiles.ts";
import { commandsMayOverlap } from "./command_overlap.ts";

/** A rule's pattern and action. */
export interface RuleText {
  readonly pattern: string;
  readonly action: Action;
}

/** The rule that another one is compared with, and the surroundings of both. */
export interface OverlapOptions extends Pick<OverlapContext, "wrappers"> {
  /** A deny or ask rule. */
  readonly stricter: RuleText;
  /** The known tools. */
  readonly profiles: ToolProfiles;
}

/** The surroundings in which two rules are compared. */
export interface OverlapContext {
  /** The `[shell] wrappers` of the policy. */
  readonly wrappers?: readonly string[];
  /** Resolves path patterns; without it any two of them may fit the same file. */
  readonly paths?: PathContext;
}

/** Patterns are only parsed here, never matched: no path is resolved, and the source is not shown. */
const NOWHERE: RuleSource = { kind: "project", path: "", line: 1, column: 1 };
const NO_PATHS: PathContext = { platform: "linux", workspace: [], home: [], ignoreCase: true };

/**
 * True unless it is certain that no call matches a rule and either matches a stricter one or cannot be evaluated for it:
 * then the order of the two does not matter. A command that the denied one runs does not count, since the call is denied.
 */
export function mayOverlap(first: RuleText, options: OverlapOptions): boolean {
  const { stricter, profiles } = options;
  const [one, two] = [readRule(first, profiles), readRule(stricter, profiles)];
  if (one === undefined || two === undefined) return true;
  // Both may match a tool without a profile.
  if (one.name === undefined && two.name === undefined && globsOverlap(one.tool, two.tool)) {
    return true;
  }
  const agree = (name: string) => {
    const other = two.of(name);
    if (other === undefined) return false;
    const own = one.of(name);
    return own !== undefined && toolRulesMayOverlap(own, other, options);
  };
  return one.name !== undefined && agree(one.name) || two.name !== undefined && agree(two.name) ||
    two.known().some(agree);
}

/** A rule as tools read it. */
interface ReadRule {
  readonly tool: Glob;
  /** The one tool that it names. */
  readonly name: string | undefined;
  /** The rule as a tool reads it; undefined for a tool that it does not speak of. */
  of(tool: string): ToolRule | undefined;
  /** The known tools that it speaks of. */
  known(): readonly string[];
}

/** The rules that were read, by the tools they were read with: one rule is compared with all others of a file. */
const readRules = new WeakMap<ToolProfiles, WeakMap<RuleText, ReadRule>>();

/** Reads a rule, once for each tool; undefined if its pattern is none. */
function readRule(rule: RuleText, profiles: ToolProfiles): ReadRule | undefined {
  let all = readRules.get(profiles);
  if (all === undefined) readRules.set(profiles, all = new WeakMap());
  const found = all.get(rule);
  if (found !== undefined) return found;
  const { pattern, action } = rule;
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return undefined;
  const rules = new Map<string, ToolRule | undefined>();
  const of = (name: string) => {
    if (!rules.has(name)) {
      const profile = profiles.get(name);
      rules.set(name, ruleFor({ pattern, action }, { parsed: parsed.value, profile, profiles }));
    }
    return rules.get(name);
  };
  let known: readonly string[] | undefined;
  const read: ReadRule = {
    tool: parsed.value.tool,
    name: onlyText(parsed.value.tool),
    of,
    known: () =>
      known ??= profiles.known.flatMap(({ name }) => of(name) === undefined ? [] : [name]),
  };
  all.set(rule, read);
  return read;
}

/**
 * The rule for the calls of one tool. A deny or ask on a file applies to every tool that does the same to it.
 */
function ruleFor(
  { pattern, action }: RuleText,
  options: { parsed: Pattern; profile: ToolProfile; profiles: ToolProfiles },
): ToolRule | undefined {
  const { parsed, profile, profiles } = options;
  const rule = { pattern, action, index: 0, source: NOWHERE, parsed };
  return toolRuleFor(rule, { profile, profiles, shell: "parsed", context: NO_PATHS });
}

/** `mayOverlap` for two compiled rules of one tool. Field lists may always overlap. */
export function toolRulesMayOverlap(
  first: ToolRule,
  stricter: ToolRule,
  { wrappers = [], paths }: OverlapContext,
): boolean {
  const [one, two] = [argumentOf(first), argumentOf(stricter)];
  if (one === undefined || two === undefined) return true;
  const isAllow = first.rule.action === "allow";
  if (one.kind === "command" && two.kind === "command") {
    return commandsMayOverlap(one, two, { isAllow, wrappers });
  }
  if (one.kind === "text" && two.kind === "text") return globsOverlap(one.glob, two.glob);
  if (one.kind === "path" && two.kind === "path") {
    // An ask matches a file that any link leads to, an allow only a file inside its own folders.
    return paths === undefined || !isAllow ||
      pathsMayOverlap(one.pattern, { stricter: two.pattern, context: paths });
  }
  return hostsOverlap(hostOf(one), hostOf(two));
}

function argumentOf({ specifier, also }: ToolRule): ValueTest | undefined {
  return specifier?.kind === "argument" && also === undefined ? specifier.test : undefined;
}

/**
 * Compares literal beginnings: a deny matches everything below its path, and a plain one matches in any folder.
 */
function pathsMayOverlap(
  allow: PathPattern,
  { stricter, context }: { readonly stricter: PathPattern; readonly context: PathContext },
): boolean {
  if (stricter.base === "plain") return true;
  const [ones, others] = [headsOf(allow, context), headsOf(stricter, context)];
  if (ones.length === 0 || others.length === 0) return true;
  return ones.some((one) => others.some((other) => one.startsWith(other) || other.startsWith(one)));
}

/** The literal beginnings of a path pattern, as it is written and with links followed; none where its folder is unknown. */
function headsOf(pattern: PathPattern, context: PathContext): readonly string[] {
  const linked = linkedPattern(pattern, context);
  return (linked === undefined ? [pattern] : [pattern, linked]).flatMap(({ base, glob }) => {
    const folders = base === "root" ? [""] : base === "home" ? context.home : context.workspace;
    const [first] = glob;
    const text = first?.kind === "text" ? first.text : "";
    return folders.map((folder) => foldCase(`${folder}/${text}`).replace(/^\/+/, ""));
  });
}

/** A host, and whether its subdomains count too. */
interface Host {
  readonly name: string;
  readonly hasSubdomains: boolean;
}

function hostOf(test: ValueTest): Host | undefined {
  if (test.kind === "domain") return { name: foldCase(test.host), hasSubdomains: true };
  return test.kind === "url" ? hostIn(test.glob) : undefined;
}

function hostIn(glob: Glob): Host | undefined {
  const name = /^[a-z][a-z0-9+.-]*:\/\/([^/:@?#\\]+)[/:]/i.exec(literalHead(glob))?.[1];
  return name === undefined ? undefined : { name: foldCase(name), hasSubdomains: false };
}

function hostsOverlap(one: Host | undefined, other: Host | undefined): boolean {
  if (one === undefined || other === undefined) return true;
  return one.name === other.name || one.hasSubdomains && other.name.endsWith(`.${one.name}`) ||
    other.hasSubdomains && one.name.endsWith(`.${other.name}`);
}
