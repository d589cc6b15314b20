import type { Action } from "../model/action.ts";
import type { PlacedRule, SourceEntry } from "../model/source_entry.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { rankOf } from "../policy/sources/registry.ts";
import { singleRule } from "../policy/sources/single_rule.ts";

/** A rule that a person's “always” added. */
export interface SessionRule {
  /** Its pattern. */
  readonly pattern: string;
  /** What it says; an allow only answers questions. */
  readonly action: Exclude<Action, "ask">;
  /** For people. */
  readonly comment?: string;
  /** For the model; deny rules only. */
  readonly reason?: string;
}

/** The rules, each one time, the new ones first: what was said last comes first. */
export function withNewest(
  rules: readonly SessionRule[],
  added: readonly SessionRule[],
): readonly SessionRule[] {
  const isSame = (one: SessionRule, other: SessionRule) =>
    one.pattern === other.pattern && one.action === other.action;
  return [...added, ...rules.filter((rule) => !added.some((each) => isSame(each, rule)))];
}

/** What is wrong with a rule's pattern, in one sentence; undefined when nothing is. */
export function patternFault(
  { pattern, action }: Pick<SessionRule, "pattern" | "action">,
  policy: Policy,
): string | undefined {
  const { error, warning } = checkPattern(pattern, { action, profiles: policy.profiles });
  return error?.detail ?? warning;
}

/** The policy with the rules in their place; undefined when one of them cannot be used with it. */
export function overPolicy(policy: Policy, rules: readonly SessionRule[]): Policy | undefined {
  if (rules.length === 0) return policy;
  const { sources, settings: { managedOnly } } = policy;
  const counting = managedOnly ? rules.filter(({ action }) => action !== "allow") : rules;
  const placed = counting.map(placedRule);
  const entry: SourceEntry = {
    kind: "session",
    path: "session",
    state: "read",
    rules: placed,
    trusted: true,
  };
  return policy.with({
    ...sources,
    entries: sources.entries.toSpliced(placeAmong(sources.entries), 0, entry),
    rules: sources.rules.toSpliced(
      placeAmong(sources.rules.map(({ source }) => source)),
      0,
      ...placed,
    ),
  });
}

function placedRule(
  { pattern, action, comment, reason }: SessionRule,
  index: number,
): PlacedRule {
  const source = { kind: "session", path: "session", line: index + 1, column: 1 } as const;
  return {
    ...singleRule(pattern, { action, source }),
    ...(comment === undefined ? {} : { comment }),
    ...(reason === undefined ? {} : { reason }),
  };
}

/** Where the session stands in a list. */
function placeAmong(list: readonly Pick<SourceEntry, "kind">[]): number {
  const at = list.findIndex(({ kind }) => rankOf(kind) >= rankOf("session"));
  return at < 0 ? list.length : at;
}
