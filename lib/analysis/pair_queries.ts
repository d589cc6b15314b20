import type { Action } from "../model/action.ts";
import type { CompiledRule } from "../policy/compile/rule_table.ts";
import type { State } from "./automata/state.ts";
import type { CommonRules } from "./common_rules.ts";
import type { WordQuery } from "./automata/find_words.ts";
import type { ToolCalls, ToolEntry } from "./languages/tool_calls.ts";

/** The calls of one tool under two policies, written alike. */
export interface TwoCalls {
  /** Under the first. */
  readonly old: ToolCalls;
  /** Under the second. */
  readonly new: ToolCalls;
  /** The rules that may make a difference. */
  readonly changed: CommonRules;
}

/** Where two policies may differ, and by which rules; null where none fits. */
export interface PairQuery extends WordQuery {
  /** What decides under the first. */
  readonly was: CompiledRule | null;
  /** What decides under the second. */
  readonly now: CompiledRule | null;
}

/** What decides under one policy, and where. */
interface Decider {
  readonly rule: CompiledRule | null;
  readonly action: Action;
  /** The languages that a call must be in. */
  readonly all: readonly State[];
  /** And those that it must not be in. */
  readonly none: readonly State[];
}

/**
 * Where two policies may differ: for each pair of deciders with different actions, one of them changed. Two rules that both
 * lists have in the same order never make a difference by themselves: the one that comes first decides in both.
 */
export function* pairQueries({ old, new: now, changed }: TwoCalls): Generator<PairQuery> {
  const { domain } = now;
  const join = (a: Decider, b: Decider): readonly PairQuery[] =>
    a.action === b.action ? [] : [{
      all: [domain, ...a.all, ...b.all],
      none: [...a.none, ...b.none],
      was: a.rule,
      now: b.rule,
    }];
  for (const entry of old.entries) {
    if (!changed.old.has(entry.rule)) continue;
    const own = deciderOf(entry, old);
    for (const other of now.nearTo(entry.end)) yield* join(own, deciderOf(other, now));
    yield* join(own, silence(now, entry));
  }
  for (const entry of now.entries) {
    if (!changed.new.has(entry.rule)) continue;
    const own = deciderOf(entry, now);
    for (const other of old.nearTo(entry.end)) {
      // Pairs of changed rules were looked at already.
      if (!changed.old.has(other.rule)) yield* join(deciderOf(other, old), own);
    }
    yield* join(silence(old, entry), own);
  }
  for (const raised of raisers(old)) {
    for (const other of now.meeting(raised.all[0]!)) yield* join(raised, deciderOf(other, now));
  }
  for (const raised of raisers(now)) {
    for (const other of old.meeting(raised.all[0]!)) yield* join(deciderOf(other, old), raised);
  }
}

function deciderOf(entry: ToolEntry, calls: ToolCalls): Decider {
  const earlier = calls.near(entry).filter(({ place }) => place < entry.place);
  const unknown = entry.rule.action === "deny" ? [] : calls.unknownsBetween(0, entry.place);
  return {
    rule: entry.rule,
    action: entry.rule.action,
    all: [entry.yes],
    none: [...earlier.map(({ yes }) => yes), ...unknown],
  };
}

/** No rule fits, nor is there one that cannot be evaluated, of those that a rule of the other list could meet. */
function silence(calls: ToolCalls, { end }: ToolEntry): Decider {
  const near = calls.nearTo(end).map(({ yes }) => yes);
  const unknown = calls.unknownsBetween(0, Infinity);
  return { rule: null, action: "ask", all: [], none: [...near, ...unknown] };
}

/** The first rule of each kind that cannot be evaluated asks, wherever no deny decides behind it. */
function raisers(calls: ToolCalls): readonly Decider[] {
  const seen = new Set<State>();
  return calls.entries.flatMap((entry) => {
    if (entry.unknown === calls.nothing || seen.has(entry.unknown)) return [];
    seen.add(entry.unknown);
    return raisedBy(entry, calls);
  });
}

function raisedBy(entry: ToolEntry, calls: ToolCalls): readonly Decider[] {
  const met = calls.meeting(entry.unknown);
  const before = [
    ...met.filter(({ place }) => place < entry.place).map(({ yes }) => yes),
    ...calls.unknownsBetween(0, entry.place),
  ];
  const later = met.filter(({ place }) => place > entry.place);
  const decider = (all: readonly State[], end: number): Decider => {
    const denies = later.filter(({ rule, place }) => rule.action === "deny" && place < end);
    const none = [...before, ...denies.map(({ yes }) => yes)];
    return { rule: entry.rule, action: "ask", all: [entry.unknown, ...all], none };
  };
  return [
    ...later.flatMap(({ rule, yes, place }) =>
      rule.action === "deny" ? [] : [decider([yes], place)]
    ),
    decider([], Infinity),
  ];
}
