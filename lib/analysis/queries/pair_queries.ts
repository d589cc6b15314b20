import { groupBy } from "../group_by.ts";
import type { Action } from "../../model/call.ts";
import type { CompiledRule } from "../../policy/compile/compiled_policy.ts";
import type { WordQuery } from "../automata/find_words.ts";
import type { State } from "../automata/state.ts";
import type { AnalysedRule } from "../languages/analysed_rule.ts";
import type { ToolCalls } from "../languages/tool_calls.ts";
import { operandPairs } from "./operand_pairs.ts";
import { patternKey } from "../rule_space.ts";

/** The calls of one tool under two policies, as words of the same arguments. */
export interface TwoCalls {
  /** Under the first. */
  readonly old: ToolCalls;
  /** Under the second. */
  readonly new: ToolCalls;
  /** The rules that may make a difference. */
  readonly changed: ChangedRules;
}

/** Calls that two policies may decide differently, and the deciding rules; null if none fits. */
export interface PairQuery extends WordQuery {
  /** The deciding rule of the first policy. */
  readonly was: CompiledRule | null;
  /** The deciding rule of the second policy. */
  readonly now: CompiledRule | null;
  /** True if a rule makes them a safety check, rather than decides them. */
  readonly isRaised: boolean;
  /** Calls that another rule makes a safety check, searched last. */
  readonly hidden: readonly State[];
}

/** A rule that may decide under one policy, and the calls that it decides. */
interface Decider {
  readonly rule: CompiledRule | null;
  readonly action: Action;
  /** The languages that a call must be in. */
  readonly all: readonly State[];
  /** And those that it must not be in. */
  readonly none: readonly State[];
  /** True if the rule is indeterminate for them. */
  readonly isRaised?: true;
  /** Calls whose operands make them a safety check instead. */
  readonly hidden: State;
}

/**
 * Yields the calls that two policies may decide differently: for each pair of deciders with different actions, one of them
 * changed. Two rules that are in both lists in the same order make no difference: the first one decides in both.
 */
export function* pairQueries({ old, new: now, changed }: TwoCalls): Generator<PairQuery> {
  const { domain } = now;
  const join = (a: Decider, b: Decider): readonly PairQuery[] =>
    a.action === b.action ? [] : [{
      all: [domain, ...a.all, ...b.all],
      none: [...a.none, ...b.none],
      was: a.rule,
      now: b.rule,
      isRaised: (a.isRaised ?? b.isRaised) === true,
      hidden: [a.hidden, b.hidden],
    }];
  for (const analysed of old.rules) {
    if (!changed.old.has(analysed.rule)) continue;
    const own = deciderOf(analysed, old);
    for (const other of now.nearTo(analysed.end)) yield* join(own, deciderOf(other, now));
    yield* join(own, silence(now, analysed));
  }
  for (const analysed of now.rules) {
    if (!changed.new.has(analysed.rule)) continue;
    const own = deciderOf(analysed, now);
    for (const other of old.nearTo(analysed.end)) {
      // Pairs of changed rules are done.
      if (!changed.old.has(other.rule)) yield* join(deciderOf(other, old), own);
    }
    yield* join(silence(old, analysed), own);
  }
  for (const raised of raisers(old)) {
    for (const other of now.meeting(raised.all[0]!)) yield* join(raised, deciderOf(other, now));
  }
  for (const raised of raisers(now)) {
    for (const other of old.meeting(raised.all[0]!)) yield* join(deciderOf(other, old), raised);
  }
  const swapped = { old: now, new: old, changed: { old: changed.new, new: changed.old } };
  yield* operandPairs({ old, new: now, changed });
  for (const { was, now: is, ...query } of operandPairs(swapped)) {
    yield { ...query, was: is, now: was };
  }
}

/** The calls that a rule decides. */
export function deciderOf(analysed: AnalysedRule, calls: ToolCalls): Decider {
  const earlier = calls.earlier(analysed);
  const unknown = analysed.rule.action === "deny"
    ? []
    : calls.indeterminateBetween(0, analysed.place);
  return {
    rule: analysed.rule,
    action: analysed.rule.action,
    all: [analysed.yes],
    none: [...earlier.map(({ yes }) => yes), ...unknown],
    hidden: calls.operands.raised(analysed),
  };
}

/** No rule fits or is indeterminate, among those that could overlap a rule of the other list. */
function silence(calls: ToolCalls, { end }: AnalysedRule): Decider {
  const near = calls.nearTo(end).map(({ yes }) => yes);
  const unknown = calls.indeterminateBetween(0, Infinity);
  return {
    rule: null,
    action: "ask",
    all: [],
    none: [...near, ...unknown],
    hidden: calls.operands.raised(undefined),
  };
}

/** The first rule of each indeterminate language asks, unless a deny behind it decides. */
function raisers(calls: ToolCalls): readonly Decider[] {
  const seen = new Set<State>();
  return calls.rules.flatMap((analysed) => {
    if (analysed.indeterminate === calls.nothing || seen.has(analysed.indeterminate)) return [];
    seen.add(analysed.indeterminate);
    return raisedBy(analysed, calls);
  });
}

function raisedBy(analysed: AnalysedRule, calls: ToolCalls): readonly Decider[] {
  const met = calls.meeting(analysed.indeterminate);
  const before = [
    ...met.filter(({ place }) => place < analysed.place).map(({ yes }) => yes),
    ...calls.indeterminateBetween(0, analysed.place),
  ];
  const later = met.filter(({ place }) => place > analysed.place);
  const decider = (all: readonly State[], end: number): Decider => {
    const denies = later.filter(({ rule, place }) => rule.action === "deny" && place < end);
    const none = [...before, ...denies.map(({ yes }) => yes)];
    return {
      rule: analysed.rule,
      isRaised: true,
      action: "ask",
      all: [analysed.indeterminate, ...all],
      none,
      hidden: calls.nothing,
    };
  };
  return [
    ...later.flatMap(({ rule, yes, place }) =>
      rule.action === "deny" ? [] : [decider([yes], place)]
    ),
    decider([], Infinity),
  ];
}

/** The rules of two lists that can make a difference: those that the other list lacks, or has in another order. */
export interface ChangedRules {
  /** Rules of the first list that the second lacks or has in another place. */
  readonly old: ReadonlySet<CompiledRule>;
  /** Rules of the second that the first lacks, or has in another place. */
  readonly new: ReadonlySet<CompiledRule>;
}

/** Compares two lists; the order within a run of rules with the same action does not matter. */
export function changedRules(
  old: readonly CompiledRule[],
  now: readonly CompiledRule[],
): ChangedRules {
  const first = inRuns(old);
  const second = inRuns(now);
  const places = groupBy(second.keys(), (at) => second[at]!.key);
  const pairs = first.flatMap(({ key }, at) => {
    const other = places.get(key)?.shift();
    return other === undefined ? [] : [[at, other] as const];
  });
  const kept = increasing(pairs.map(([, other]) => other)).map((at) => pairs[at]!);
  const keptOld = new Set(kept.map(([at]) => first[at]!.rule));
  const keptNew = new Set(kept.map(([, at]) => second[at]!.rule));
  return {
    old: new Set(old.filter((rule) => !keptOld.has(rule))),
    new: new Set(now.filter((rule) => !keptNew.has(rule))),
  };
}

/** Operands of commands are tried on written rules only. */
function keyOf({ action, parsed, source }: CompiledRule): string {
  const isOverlooked = action !== "allow" && source.kind === "builtin";
  return `${action} ${isOverlooked ? "builtin " : ""}${patternKey(parsed)}`;
}

/** A rule with its key. */
interface KeyedRule {
  readonly rule: CompiledRule;
  readonly key: string;
}

/** The rules, sorted by pattern within each run of rules with the same action. */
function inRuns(rules: readonly CompiledRule[]): readonly KeyedRule[] {
  const runs: KeyedRule[][] = [];
  for (const rule of rules) {
    const last = runs.at(-1);
    const keyed = { rule, key: keyOf(rule) };
    if (last?.[0]?.rule.action === rule.action) last.push(keyed);
    else runs.push([keyed]);
  }
  return runs.flatMap((run) => run.sort((a, b) => a.key < b.key ? -1 : 1));
}

/** The places of a longest increasing subsequence. */
function increasing(numbers: readonly number[]): readonly number[] {
  const ends: number[] = [];
  const before: number[] = [];
  for (const [at, number] of numbers.entries()) {
    let low = 0;
    let high = ends.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (numbers[ends[middle]!]! < number) low = middle + 1;
      else high = middle;
    }
    before[at] = low === 0 ? -1 : ends[low - 1]!;
    ends[low] = at;
  }
  const places: number[] = [];
  for (let at = ends.at(-1) ?? -1; at >= 0; at = before[at]!) places.push(at);
  return places.reverse();
}
