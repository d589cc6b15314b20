import type { Action } from "../model/call.ts";
import type { Verdict } from "../model/verdict.ts";
import { decideInMode } from "../decide/decide.ts";
import { evaluateCall, type Evaluation } from "../decide/evaluate.ts";
import type { Mode } from "../decide/modes.ts";
import { checkPattern } from "../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import { rankOf, SOURCES } from "../policy/sources/source_order.ts";
import { scanCommand } from "../shell/scan_command.ts";
import { commandLine } from "../text/quote.ts";
import { exactPattern, narrowPattern } from "./call_pattern.ts";
import { type Adding, withAdded, withFlag } from "./policy_with_rules.ts";

/** The scopes that `add` writes. */
export type Scope = "local" | "project" | "user";

/** The narrowest rule that would change the verdict on a call, and the place to add it. */
export interface PlacedSuggestedRule {
  readonly pattern: string;
  readonly action: Action;
  /** The file it goes to, or `line` for a flag of the command line. */
  readonly scope: Scope | "line";
  /** True if it must stand first in its file. */
  readonly first: boolean;
}

/** Options of `findSuggestedRule`. */
export interface SuggestOptions {
  /** The evaluation of the call by the policy. */
  readonly evaluation: Evaluation;
  /** The effect of the verb `add`. */
  readonly adding: Adding;
  /** The rule's pattern; when left out, the narrowest that matches. */
  readonly pattern?: string;
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now?: number;
  /** The mode: with it the rule must change the decision, without it the verdict. */
  readonly mode?: Mode;
}

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/**
 * Finds a rule by trying: adds it in each place as the verb `add` would and evaluates the call again. Starts with the place
 * nearest to the rule that decided. Null if no rule in a writable place changes the outcome.
 */
export function findSuggestedRule(
  policy: CompiledPolicy,
  options: SuggestOptions,
): PlacedSuggestedRule | null {
  const { evaluation, adding, now } = options;
  const { verdict } = evaluation;
  const action: Action = outcome(policy, evaluation, options) === "allow" ? "deny" : "allow";
  const patterns = options.pattern === undefined
    ? narrowestPatterns(policy, evaluation)
    : [options.pattern];
  for (const pattern of patterns) {
    if (isRefused(pattern, { action, policy })) continue;
    for (const place of placesFor(verdict)) {
      const { scope, first } = place;
      const suggested: PlacedSuggestedRule = { pattern, action, scope, first };
      const changed = scope === "line"
        ? withFlag(policy, suggested)
        : withAdded(policy, { rule: suggested, scope, adding });
      if (changed === undefined) continue;
      const after = evaluateCall(changed, verdict.call, now === undefined ? {} : { now });
      if (outcome(changed, after, options) === action) return suggested;
    }
  }
  return null;
}

/** The decision in the mode, or the verdict without one. */
export function outcome(
  policy: CompiledPolicy,
  evaluation: Evaluation,
  { mode }: Pick<SuggestOptions, "mode">,
): Action {
  return mode ? decideInMode(policy, evaluation, mode).decision : evaluation.verdict.action;
}

/** True if `add` would refuse the pattern. */
export function isRefused(
  pattern: string,
  { action, policy }: { action: Action; policy: CompiledPolicy },
): boolean {
  const { error, warning } = checkPattern(pattern, { action, profiles: policy.profiles });
  return error !== undefined || warning !== undefined;
}

/** The narrowest patterns to try: for the only effect that is not allowed, then for the call, whose rule may answer for the rest. */
function narrowestPatterns(
  policy: CompiledPolicy,
  evaluation: Evaluation,
): readonly string[] {
  const { request, verdict } = evaluation;
  const subject = subjectOf(policy, evaluation);
  const isOne = verdict.units.some(({ kind }) => kind === "call");
  const patterns = [subject, ...(isOne ? [request] : [])].map((each) => each && exactPattern(each));
  return [...new Set(patterns.filter((pattern) => pattern !== undefined))];
}

/** The request that the rule must match: the call, or the only effect of it that is not allowed. */
function subjectOf(
  policy: CompiledPolicy,
  { request, verdict }: Evaluation,
): Request | undefined {
  if (verdict.action === "allow") return request;
  const [unit, ...more] = verdict.units.filter((each) => each.action !== "allow");
  if (unit === undefined) return undefined;
  // A rule for the whole line covers all of it; an unknown part has no rule of its own.
  const isLine = verdict.units.every(({ kind }) => kind !== "call");
  if (isLine && (more.length > 0 || unit.kind === "opaque")) return request;
  if (more.length > 0) return undefined;
  if (unit.kind === "call") return request;
  const name = policy.profiles.get(unit.tool).firstArg?.[0];
  return name === undefined ? undefined : request.withTool(unit.tool, { [name]: unit.text });
}

/** A place for a suggested rule. */
export type RulePlace = Pick<PlacedSuggestedRule, "scope" | "first">;

/** The source that decided, then the project and the others that could change the verdict, then the command line. */
export function placesFor(verdict: Verdict): readonly RulePlace[] {
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

/** True if the deciding rule stands above every rule of a source; a rule in memory never does. */
function isBeaten(kind: Scope | "cli", { rule }: Verdict): boolean {
  if (rule === null) return false;
  const decider = SOURCES.find((source) => source.kind === rule.source.kind);
  return decider?.writable !== "memory" && rankOf(rule.source.kind) < rankOf(kind);
}

/** The command that adds a suggested rule; `workspace` is the value of `--workspace`. */
export function addCommand(
  { pattern, action, scope, first }: PlacedSuggestedRule,
  { workspace }: { readonly workspace?: string | undefined } = {},
): string {
  // The flag comes before the dots: the first rule flag of a line decides.
  if (scope === "line") return `caliban check ${commandLine([`--${action}`, pattern])} …`;
  const flags = [
    ...(scope === "project" ? [] : ["--scope", scope]),
    ...(first ? ["--first"] : []),
    ...(workspace === undefined || scope === "user" ? [] : ["--workspace", workspace]),
  ];
  return commandLine(["caliban", "perms", "add", pattern, action, ...flags]);
}

/**
 * The rule that would allow a call from now on: for its program and sub-command if that works, otherwise for the exact call;
 * undefined if no rule of a file would.
 */
export function nextSuggestedRule(
  policy: CompiledPolicy,
  options: SuggestOptions,
): PlacedSuggestedRule | undefined {
  const { request, verdict } = options.evaluation;
  // A call that cannot be evaluated gets no rule in passing: explain shows what it would take.
  if (verdict.action === "allow" || verdict.by === "safety" || isCompound(request)) {
    return undefined;
  }
  const pattern = narrowPattern(request);
  if (pattern === undefined) return undefined;
  const narrow = findSuggestedRule(policy, { ...options, pattern });
  const rule = narrow ?? findSuggestedRule(policy, options);
  return rule === null || rule.scope === "line" ? undefined : rule;
}

function isCompound({ first, profile, parsedLine }: Request): boolean {
  if (parsedLine) return parsedLine.effects.length > 1;
  return profile.kind === "command" && first.state === "text" &&
    scanCommand(first.text).kind === "compound";
}
