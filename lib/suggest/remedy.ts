import type { Action } from "../model/action.ts";
import type { ToolCall } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import { applyMode } from "../decide/decide.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { Mode } from "../decide/modes/mode.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { Policy } from "../policy/compile/policy.ts";
import { rankOf, SOURCES } from "../policy/sources/registry.ts";
import { exactPattern } from "./exact_pattern.ts";
import { type Adding, withAdded } from "./with_added.ts";
import { withFlag } from "./with_flag.ts";

/** The scopes that `add` writes. */
export type Scope = "local" | "project" | "user";

/** The narrowest rule that would change what the rules say about a call. */
export interface SuggestedFix {
  /** Its pattern. */
  readonly pattern: string;
  /** Its action. */
  readonly action: Action;
  /** The file it goes to, or `line` for a flag of the command line. */
  readonly scope: Scope | "line";
  /** Whether it must stand first in its file. */
  readonly first: boolean;
}

/** What finding a remedy must be told. */
export interface RemedyOptions {
  /** The call. */
  readonly call: ToolCall;
  /** What the rules say about it. */
  readonly verdict: Verdict;
  /** What the verb that adds rules would do. */
  readonly adding: Adding;
  /** The rule's pattern; the narrowest one that fits when left out. */
  readonly pattern?: string;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now?: number;
  /** The mode: with it the rule must change what happens, without it what the rules say. */
  readonly mode?: Mode;
}

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/**
 * Finds the remedy by trying: in each place the rule is added as the verb would add it, and the real evaluator says what
 * comes of it; the place nearest to the rule that decided first. Null when no rule in a place that can be written changes
 * the outcome.
 */
export function findRemedy(policy: Policy, options: RemedyOptions): SuggestedFix | null {
  const { call, verdict, adding, now } = options;
  const action: Action = outcome(policy, verdict, options) === "allow" ? "deny" : "allow";
  const pattern = options.pattern ?? narrowestPattern(policy, { call, verdict });
  if (pattern === undefined || isRefused(pattern, { action, policy })) return null;
  for (const place of placesFor(verdict)) {
    const { scope, first } = place;
    const remedy: SuggestedFix = { pattern, action, scope, first };
    const changed = scope === "line"
      ? withFlag(policy, remedy)
      : withAdded(policy, { rule: remedy, scope, adding });
    if (changed === undefined) continue;
    const after = evaluate(changed, call, now === undefined ? {} : { now });
    if (outcome(changed, after, options) === action) return remedy;
  }
  return null;
}

function outcome(
  policy: Policy,
  verdict: Verdict,
  { mode }: Pick<RemedyOptions, "mode">,
): Action {
  return mode ? applyMode(policy, verdict, mode).decision : verdict.action;
}

/** Whether `add` would refuse the pattern. */
function isRefused(
  pattern: string,
  { action, policy }: { action: Action; policy: Policy },
): boolean {
  const { error, warning } = checkPattern(pattern, { action, profiles: policy.profiles });
  return error !== undefined || warning !== undefined;
}

function narrowestPattern(policy: Policy, about: Pick<RemedyOptions, "call" | "verdict">) {
  const subject = subjectOf(policy, about);
  return subject && exactPattern(policy.request(subject));
}

/** What the rule must be about: the call, or the one thing that it does besides and that is not allowed. */
function subjectOf(
  policy: Policy,
  { call, verdict }: { call: ToolCall; verdict: Verdict },
): ToolCall | undefined {
  if (verdict.action === "allow") return call;
  const [unit, ...more] = verdict.units.filter((each) => each.action !== "allow");
  if (unit === undefined) return undefined;
  // A rule that is the whole line covers all of it; a part that cannot be known has no rule of its own.
  const isLine = verdict.units.every(({ kind }) => kind !== "call");
  if (isLine && (more.length > 0 || unit.kind === "opaque")) return call;
  if (more.length > 0) return undefined;
  if (unit.kind === "call") return call;
  const name = policy.profiles.get(unit.tool).firstArg?.[0];
  return name === undefined
    ? undefined
    : { ...call, tool: unit.tool, input: { [name]: unit.text } };
}

type RulePlace = Pick<SuggestedFix, "scope" | "first">;

/** The source that decided, then the project and the others that could change it, then the command line. */
function placesFor(verdict: Verdict): readonly RulePlace[] {
  const decider = verdict.rule?.source.kind;
  const own = SCOPES.filter((scope) => scope === decider);
  const others = SCOPES.filter((scope) => scope !== decider);
  const places: readonly RulePlace[] = [
    ...own.map((scope) => ({ scope, first: true })),
    ...others.map((scope) => ({ scope, first: false })),
    ...others.map((scope) => ({ scope, first: true })),
    { scope: "line", first: true },
  ];
  return places.filter(({ scope }) => !isBeaten(scope === "line" ? "cli" : scope, verdict));
}

/** Whether the rule that decided stands above all rules of a source; one in memory that only answers does not. */
function isBeaten(kind: Scope | "cli", { rule }: Verdict): boolean {
  if (rule === null) return false;
  const decider = SOURCES.find((source) => source.kind === rule.source.kind);
  return decider?.writable !== "memory" && rankOf(rule.source.kind) < rankOf(kind);
}
