import type { Action } from "../model/action.ts";
import type { SourceEntry } from "../model/source_entry.ts";
import type { Verdict } from "../model/verdict.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { speaksOf } from "../policy/compile/speaks_of.ts";
import { isUntrusted } from "../policy/sources/entry_text.ts";
import { mergeSources } from "../policy/sources/merge.ts";
import { rankOf } from "../policy/sources/registry.ts";
import { singleRule } from "../policy/sources/single_rule.ts";
import { DEFAULT_TOOLS } from "../policy/compile/profiles.ts";

/** A rule as a flag has it. */
export interface FlagRule {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
}

/** The policy with a rule as the first of the command line; undefined when its pattern cannot be used. */
export function withFlag(policy: Policy, rule: FlagRule): Policy | undefined {
  const { entries } = policy.sources;
  const placed = placedRule(rule);
  const entry: SourceEntry = {
    kind: "cli",
    path: placed.source.path,
    state: "read",
    rules: [placed],
    trusted: true,
  };
  return remade(policy, entries.toSpliced(placeAmong(entries.map(({ kind }) => kind)), 0, entry));
}

/**
 * A policy that says about one call what `withFlag` says, made of the rules alone that its verdict came by, so that a long
 * list costs nothing; undefined where the flag would not count or cannot be used. `tool` is the tool of the call and of the
 * pattern.
 */
export function withFlagFor(
  policy: Policy,
  { rule, verdict, tool }: { rule: FlagRule; verdict: Verdict; tool: string },
): Policy | undefined {
  const { sources, settings: { managedOnly } } = policy;
  if (managedOnly && rule.action === "allow") return undefined;
  // A flag that speaks of a tool takes its table away from a workspace without trust: then every rule may read otherwise.
  const mayTurn = sources.entries.some((entry) =>
    isUntrusted(entry) && entry.file?.tools.has(tool)
  );
  if (mayTurn) return withFlag(policy, rule);
  const indexes = new Set(
    verdict.units.flatMap(({ steps }) => steps.map(({ rule }) => rule.index)),
  );
  const rules = [...indexes].sort((a, b) => a - b).map((index) => sources.rules[index]!);
  const at = placeAmong(rules.map(({ source }) => source.kind));
  return policy.with({ ...sources, rules: rules.toSpliced(at, 0, placedRule(rule)) });
}

/** The policy of other entries on the same machine; undefined when they have an error. */
export function remade(policy: Policy, entries: readonly SourceEntry[]): Policy | undefined {
  return policy.with(mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], speaksOf }));
}

function placedRule({ pattern, action }: FlagRule) {
  return singleRule(pattern, {
    action,
    source: { kind: "cli", path: `--${action}`, line: 1, column: 1 },
  });
}

/** Where the first of the command line stands in a list. */
function placeAmong(kinds: readonly SourceEntry["kind"][]): number {
  const at = kinds.findIndex((kind) => rankOf(kind) >= rankOf("cli"));
  return at < 0 ? kinds.length : at;
}
