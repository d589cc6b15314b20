import type { Action } from "../model/call.ts";
import type { RuleSource, SourceEntry } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { appliesTo } from "../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";
import { isUntrusted } from "../policy/sources/entry_text.ts";
import { mergeSources } from "../policy/sources/merge.ts";
import { rankOf, singleRule } from "../policy/sources/source_order.ts";
import type { Scope } from "./find_suggested_rule.ts";

/** A rule as a flag has it. */
export interface FlagRule {
  readonly pattern: string;
  readonly action: Action;
}

/** The policy with a rule as the first of the command line; undefined when its pattern cannot be used. */
export function withFlag(policy: CompiledPolicy, rule: FlagRule): CompiledPolicy | undefined {
  return withFlags(policy, [rule]);
}

function withFlags(
  policy: CompiledPolicy,
  rules: readonly FlagRule[],
): CompiledPolicy | undefined {
  const { entries } = policy.sources;
  const placed = rules.map(placedRule);
  const entry: SourceEntry = {
    kind: "cli",
    path: "--allow",
    state: "read",
    rules: placed,
    trusted: true,
  };
  return recompiled(
    policy,
    entries.toSpliced(placeAmong(entries.map(({ kind }) => kind)), 0, entry),
  );
}

/**
 * A policy with these rules as the first of the command line, for one call: it is made only of the rules in the verdict's
 * trace, so that a long list costs nothing. Undefined if the flags would not count or cannot be used.
 */
export function withFlagsFor(
  policy: CompiledPolicy,
  { rules: flags, verdict }: { rules: readonly FlagRule[]; verdict: Verdict },
): CompiledPolicy | undefined {
  const { sources, settings: { managedOnly } } = policy;
  if (managedOnly && flags.some(({ action }) => action === "allow")) return undefined;
  // A flag that names a tool disables the table of that tool in an untrusted workspace: then any rule may change its meaning.
  const tools = [verdict.call.tool, ...verdict.units.map(({ tool }) => tool)];
  const mayTurn = sources.entries.some((entry) =>
    isUntrusted(entry) && tools.some((tool) => entry.file?.tools.has(tool))
  );
  if (mayTurn) return withFlags(policy, flags);
  const indexes = new Set(
    verdict.units.flatMap(({ steps }) => steps.map(({ rule }) => rule.index)),
  );
  const rules = [...indexes].sort((a, b) => a - b).map((index) => sources.rules[index]!);
  const at = placeAmong(rules.map(({ source }) => source.kind));
  return policy.with({ ...sources, rules: rules.toSpliced(at, 0, ...flags.map(placedRule)) });
}

/** The policy of other entries for the same surroundings; undefined if they have an error. */
export function recompiled(
  policy: CompiledPolicy,
  entries: readonly SourceEntry[],
): CompiledPolicy | undefined {
  return policy.with(mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], appliesTo }));
}

function placedRule({ pattern, action }: FlagRule) {
  return singleRule(pattern, {
    action,
    source: { kind: "cli", path: `--${action}`, line: 1, column: 1 },
  });
}

/** The place in a list of the first rule of the command line. */
function placeAmong(kinds: readonly SourceEntry["kind"][]): number {
  const at = kinds.findIndex((kind) => rankOf(kind) >= rankOf("cli"));
  return at < 0 ? kinds.length : at;
}

const ALONE: RuleSource = { kind: "cli", path: "--allow", line: 1, column: 1 };

/**
 * The policy with only these rules, in this order, for the same tools and surroundings; it always parses command lines.
 * Undefined if a pattern has an error.
 */
export function rulesAlone(
  policy: CompiledPolicy,
  rules: readonly { readonly pattern: string; readonly action: Action }[],
): CompiledPolicy | undefined {
  const { sources, settings } = policy;
  return policy.with({
    entries: [],
    rules: rules.map(({ pattern, action }) => singleRule(pattern, { action, source: ALONE })),
    settings: { ...settings, shell: "parsed" },
    tools: sources.tools,
    notices: [],
    problems: [],
  });
}

/** A file that `add` writes. */
export interface WritableFile {
  readonly scope: Scope;
  /** Its absolute path. */
  readonly path: string;
}

/** A rule to add, and its place in the file. */
export interface AddedRule {
  readonly pattern: string;
  readonly action: Action;
  /** True if it must stand first in its file (`--first`). */
  readonly first: boolean;
}

/** The verb `add`, without reading and writing. */
export interface Adding {
  /** The files that it writes. */
  readonly files: readonly WritableFile[];
  /**
   * The entry of a file with the rule in its place and the trust that it had; undefined if the verb refuses it or changes nothing.
   */
  add(entry: SourceEntry, rule: AddedRule): SourceEntry | undefined;
}

/** The policy after `add` wrote the rule to the file of that scope, which keeps its trust. Undefined if it would not. */
export function withAdded(
  policy: CompiledPolicy,
  options: { readonly rule: AddedRule; readonly scope: Scope; readonly adding: Adding },
): CompiledPolicy | undefined {
  const { rule, scope, adding } = options;
  const file = adding.files.find((each) => each.scope === scope);
  const { entries } = policy.sources;
  const entry = entries.find(({ kind, path }) => kind === scope && path === file?.path);
  if (entry === undefined || entry.state === "off") return undefined;
  const written = adding.add(entry, rule);
  return written && recompiled(policy, entries.map((each) => each === entry ? written : each));
}
