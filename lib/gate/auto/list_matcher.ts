import { evaluate } from "../../decide/evaluate.ts";
import type { EvaluateOptions } from "../../decide/first_match.ts";
import { asksAboutUnknown } from "../../decide/unit_result.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Match } from "../../model/verdict.ts";
import { errorAt, type FileProblem, quoted } from "../../model/problem.ts";
import type { MergedSources, PlacedRule, RuleSource } from "../../model/rule.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import type { CompiledPolicy } from "../../policy/compile/compiled_policy.ts";
import type { AutoList } from "./auto_mode_file.ts";
import type { AutoModeSettings } from "./merge_auto_mode.ts";
import type { Opinion } from "./opinion.ts";

/** The match of a list with a call. */
export interface ListMatch {
  /** `indeterminate` if a pattern cannot be evaluated, and no other fits. */
  readonly fits: Match;
  /** The pattern that fits or cannot be evaluated; absent without one. */
  readonly pattern?: string;
  /** The place of `pattern`; present with it. */
  readonly source?: RuleSource;
  /** The reason, in one sentence; present if `indeterminate`. */
  readonly detail?: string;
}

/** Matches one list with a call. Throws TypeError for an invalid call. */
export type MatchesList = (list: AutoList, call: ToolCall) => ListMatch;

/**
 * Matches lists as rules in the policy's context and with its tools, by the same evaluator: a denial acts as a deny rule,
 * `allow` as an allow rule. Commands are parsed even if the policy reads them as one string. Each list is compiled on its
 * first use. Throws TypeError for a pattern that `listProblems` has an error for.
 */
export function listMatcher(
  policy: CompiledPolicy,
  { lists, now }: Pick<AutoModeSettings, "lists"> & { readonly now?: () => number },
): MatchesList {
  const compiled = new Map<AutoList, CompiledPolicy>();
  return (name, call) => {
    let list = compiled.get(name);
    if (!list) compiled.set(name, list = compiledList(policy, { name, rules: lists[name] }));
    const options: EvaluateOptions = now === undefined ? {} : { now: now() };
    const verdict = evaluate(list, call, options);
    const decided = name === "allow" ? "allow" : "deny";
    // A harmless unit as `cd src` is allowed without a rule of its own, beside a unit that has one.
    const rule = verdict.rule ??
      verdict.units.find((unit) => unit.action === decided && unit.rule !== null)?.rule ?? null;
    if (verdict.action === decided && rule !== null) {
      return { fits: "yes", pattern: rule.pattern, source: rule.source };
    }
    // Unknown effects are left to the rules; here only a pattern that cannot be evaluated counts.
    const raised = verdict.units.find((unit) =>
      unit.action === "ask" && unit.by === "safety" && !asksAboutUnknown(unit)
    );
    if (name === "allow" || raised === undefined) return { fits: "no" };
    const { rule: unsure, reason } = raised;
    return {
      fits: "indeterminate",
      ...(unsure === null ? {} : { pattern: unsure.pattern, source: unsure.source }),
      detail: reason,
    };
  };
}

function compiledList(
  policy: CompiledPolicy,
  { name, rules }: { name: AutoList; rules: readonly PlacedRule[] },
): CompiledPolicy {
  const merged: MergedSources = {
    entries: [],
    rules,
    settings: { ...policy.settings, shell: "parsed" },
    tools: policy.sources.tools,
    notices: [],
    problems: [],
  };
  const list = policy.with(merged);
  if (!list) throw new TypeError(`Cannot use the list ${name}: it has a pattern with an error`);
  return list;
}

/** The problems of the patterns, in their order. */
export function listProblems(
  policy: CompiledPolicy,
  rules: readonly PlacedRule[],
): readonly FileProblem[] {
  return rules.flatMap((placed) => patternProblem(policy, placed));
}

function patternProblem(policy: CompiledPolicy, placed: PlacedRule): readonly FileProblem[] {
  const { pattern, action, source, text } = placed;
  const { error, warning } = checkPattern(pattern.value, { action, profiles: policy.profiles });
  const about = { path: source.path, text };
  if (error) {
    const message = `Cannot use pattern ${quoted(pattern.value)}: ${error.detail}, at ` +
      `character ${error.at + 1}`;
    const problem = errorAt(pattern.span, { id: "invalid-pattern", message, hint: error.hint });
    return [{ ...problem, ...about }];
  }
  if (warning === undefined) return [];
  const message = `Pattern ${quoted(pattern.value)}: ${warning}`;
  return [{ id: "never-fits", severity: "warning", message, span: pattern.span, ...about }];
}

/** The opinion of the denials, hard_deny first; a pattern that cannot be evaluated is soft_deny. Undefined without a match. */
export function staticDenial(call: ToolCall, matches: MatchesList): Opinion | undefined {
  const hard = matches("hard_deny", call);
  if (hard.fits === "yes") return hardOpinion(hard);
  const soft = matches("soft_deny", call);
  if (soft.fits === "yes") return opinion("soft_deny", fits("soft_deny", soft));
  if (hard.fits === "indeterminate") return opinion("soft_deny", cannotTell("hard_deny", hard));
  if (soft.fits === "indeterminate") return opinion("soft_deny", cannotTell("soft_deny", soft));
  return undefined;
}

/** The opinion of the list `hard_deny` alone; undefined without a match. */
export function hardDenial(call: ToolCall, matches: MatchesList): Opinion | undefined {
  const match = matches("hard_deny", call);
  return match.fits === "yes" ? hardOpinion(match) : undefined;
}

function hardOpinion(match: ListMatch): Opinion {
  return opinion("hard_deny", fits("hard_deny", match));
}

/** The opinion of the list `allow`; undefined without a match. The denials come before it. */
export function staticAllow(call: ToolCall, matches: MatchesList): Opinion | undefined {
  const match = matches("allow", call);
  return match.fits === "yes" ? opinion("allow", fits("allow", match)) : undefined;
}

function opinion(decision: Opinion["decision"], reason: string): Opinion {
  return { decision, source: "static-rule", reason };
}

function fits(list: AutoList, match: ListMatch): string {
  return `${named(list, match)} matches`;
}

function cannotTell(list: AutoList, match: ListMatch): string {
  return match.detail === undefined
    ? `${named(list, match)} cannot be evaluated`
    : `in the list ${list}, ${match.detail}`;
}

function named(list: AutoList, { pattern, source }: ListMatch): string {
  if (pattern === undefined || source === undefined) return `the list ${list}`;
  return `the ${list} pattern \`${pattern}\` (${source.path}:${source.line})`;
}
