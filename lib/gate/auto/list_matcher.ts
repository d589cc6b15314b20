import { asksUnread } from "../../decide/asks_unread.ts";
import { evaluate } from "../../decide/evaluate.ts";
import type { EvaluateOptions } from "../../decide/walk.ts";
import type { ToolCall } from "../../model/call.ts";
import type { Match } from "../../model/match.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { RuleSource } from "../../model/source.ts";
import type { MergedSources, PlacedRule } from "../../model/source_entry.ts";
import { checkPattern } from "../../policy/compile/compile_policy.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import type { AutoList } from "./auto_mode_file.ts";
import type { AutoModeSettings } from "./merge_auto_mode.ts";

/** Whether a list fits a call. */
export interface ListMatch {
  /** `unknown` when a pattern cannot be evaluated, and no other fits. */
  readonly fits: Match;
  /** The pattern that fits or cannot be evaluated; absent when none does. */
  readonly pattern?: string;
  /** Where it stands; there exactly when `pattern` is. */
  readonly source?: RuleSource;
  /** Why, in one sentence; there when it is `unknown`. */
  readonly detail?: string;
}

/** Asks one list about a call. Throws TypeError for a call that is none. */
export type MatchesList = (list: AutoList, call: ToolCall) => ListMatch;

/**
 * The lists as rules of the same surroundings and tools as a policy's, walked by the same evaluator: a denial acts like a
 * deny rule, `allow` like an allow rule. Commands are taken apart also where the policy reads them as one string. Each
 * list is compiled when it is first asked. Throws TypeError for a pattern that `listProblems` objects to.
 */
export function listMatcher(
  policy: Policy,
  { lists, now }: Pick<AutoModeSettings, "lists"> & { readonly now?: () => number },
): MatchesList {
  const compiled = new Map<AutoList, Policy>();
  return (name, call) => {
    let list = compiled.get(name);
    if (!list) compiled.set(name, list = compiledList(policy, { name, rules: lists[name] }));
    const options: EvaluateOptions = now === undefined ? {} : { now: now() };
    const verdict = evaluate(list, call, options);
    const decided = name === "allow" ? "allow" : "deny";
    // A companion as `cd src` is allowed without a rule of its own, beside a unit that has one.
    const rule = verdict.rule ??
      verdict.units.find((unit) => unit.action === decided && unit.rule !== null)?.rule ?? null;
    if (verdict.action === decided && rule !== null) {
      return { fits: "yes", pattern: rule.pattern, source: rule.source };
    }
    // What cannot be known is for the rules to say; here it counts where a pattern cannot be evaluated for it.
    const raised = verdict.units.find((unit) =>
      unit.action === "ask" && unit.by === "safety" && !asksUnread(unit)
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
  policy: Policy,
  { name, rules }: { name: AutoList; rules: readonly PlacedRule[] },
): Policy {
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

/** Everything wrong in patterns, each where it stands, in their order. */
export function listProblems(
  policy: Policy,
  rules: readonly PlacedRule[],
): readonly FileProblem[] {
  return rules.flatMap((placed) => patternProblem(policy, placed));
}

function patternProblem(policy: Policy, placed: PlacedRule): readonly FileProblem[] {
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
