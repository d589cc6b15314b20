import type { Action } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { SourceKind } from "../model/source.ts";
import type { PlacedRule } from "../model/source_entry.ts";
import type { Verdict } from "../model/verdict.ts";
import { evaluate } from "../engine/evaluate.ts";
import type { Policy } from "../policy/policy.ts";
import { SOURCES } from "../sources/registry.ts";
import { singleRule } from "../sources/single_rule.ts";
import { exactPattern } from "./exact_pattern.ts";

/** The scopes that `add` writes. */
export type Scope = "local" | "project" | "user";

/** The narrowest rule that would change what the rules say about a call. */
export interface Remedy {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** The file it goes to, or `line` for a flag of the command line. */
  readonly scope: Scope | "line";
  /** Whether it must stand first in its file. */
  readonly first: boolean;
}

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/**
 * Finds the remedy by trying: each place is put to the test with the real evaluator, the one nearest to the rule that
 * decided first. Null when no rule in a place that can be written changes the outcome.
 */
export function findRemedy(
  policy: Policy,
  options: { readonly call: ToolCall; readonly verdict: Verdict; readonly now?: number },
): Remedy | null {
  const { call, verdict } = options;
  const subject = subjectOf(policy, { call, verdict });
  const pattern = subject && exactPattern(policy.facts(subject));
  const action: Action = verdict.action === "allow" ? "deny" : "allow";
  if (pattern === undefined || action === "allow" && policy.settings.managedOnly) return null;
  for (const place of placesFor(verdict.rule?.source.kind)) {
    const remedy: Remedy = { pattern, action, ...place };
    const changed = withRule(policy, remedy);
    if (!changed) return null;
    const now = options.now === undefined ? {} : { now: options.now };
    if (evaluate(changed, call, now).action === action) return remedy;
  }
  return null;
}

/** What the rule must be about: the call, or the one thing that it does besides and that is not allowed. */
function subjectOf(
  policy: Policy,
  { call, verdict }: { call: ToolCall; verdict: Verdict },
): ToolCall | undefined {
  if (verdict.action === "allow") return call;
  const [unit, ...more] = verdict.units.filter((each) => each.action !== "allow");
  if (unit === undefined || more.length > 0) return undefined;
  if (unit.kind === "call") return call;
  const name = policy.profiles.get(unit.tool).firstArg?.[0];
  return name === undefined
    ? undefined
    : { ...call, tool: unit.tool, input: { [name]: unit.text } };
}

/** The project first, then the source that decided, then higher ones, then the command line. */
function placesFor(decider: SourceKind | undefined): readonly Pick<Remedy, "scope" | "first">[] {
  const own = SCOPES.filter((scope) => scope === decider);
  const others = SCOPES.filter((scope) => scope !== decider);
  const start = own.length > 0 ? own.map((scope) => ({ scope, first: true })) : [];
  return [
    ...start,
    ...others.filter((scope) => scope !== "user" || decider === "builtin").map((scope) => ({
      scope,
      first: false,
    })),
    ...others.map((scope) => ({ scope, first: true })),
    { scope: "line", first: true },
  ];
}

/** The policy with the rule where `add` puts it; undefined when its pattern cannot be used. */
export function withRule(policy: Policy, remedy: Remedy): Policy | undefined {
  const kind: SourceKind = remedy.scope === "line" ? "cli" : remedy.scope;
  const added = singleRule(remedy.pattern, {
    action: remedy.action,
    source: { kind, path: "new rule", line: 1, column: 1 },
  });
  const rules = policy.sources.rules;
  const at = remedy.first ? firstOf(rules, kind) : behind(rules, kind);
  return policy.with([...rules.slice(0, at), added, ...rules.slice(at)]);
}

function firstOf(rules: readonly PlacedRule[], kind: SourceKind): number {
  const rank = rankOf(kind);
  const at = rules.findIndex((rule) => rankOf(rule.source.kind) >= rank);
  return at < 0 ? rules.length : at;
}

function behind(rules: readonly PlacedRule[], kind: SourceKind): number {
  const rank = rankOf(kind);
  const at = rules.findIndex((rule) => rankOf(rule.source.kind) > rank);
  return at < 0 ? rules.length : at;
}

function rankOf(kind: SourceKind): number {
  return SOURCES.findIndex((source) => source.kind === kind);
}
