import type { AskGroup } from "./ask_groups.ts";
import type { Candidate } from "./candidate.ts";
import { askCount, coverAsks } from "./cover_asks.ts";
import type { ToolCall } from "../model/call.ts";

/** Why a pattern is not suggested. */
export interface Fault {
  /** The id of a finding of lint, or `takes-effect`, `loosens`: see `why`. */
  readonly id: string;
  /** In one sentence without a final full stop. */
  readonly why: string;
}

/** A pattern that is not suggested. */
export interface RefusedPattern extends Fault {
  /** How many asks of the groups it might have answered. */
  readonly asks: number;
}

/** What somebody who knows the policy says about a set of patterns. */
export interface Judgement {
  /** The patterns that have a fault. */
  readonly faults: ReadonlyMap<string, Fault>;
  /** Whether the policy with all of them allows a call. */
  readonly allows: (call: ToolCall) => boolean;
}

/** What a set is found by. */
export interface SetOptions {
  /** From 1 to 100: how many of a hundred asks of the groups it should answer. */
  readonly percent: number;
  /** How many rules there may be. */
  readonly max: number;
  /** Patterns that are known to have a fault. */
  readonly known?: ReadonlyMap<string, Fault>;
  /** Looks at a set of patterns; the same set always has the same judgement. */
  readonly judge: (patterns: readonly string[]) => Judgement;
}

/** A set of rules that has no fault. */
export interface SuggestedSet {
  /** The patterns, the one that answers most first. */
  readonly picks: readonly Candidate[];
  /** Patterns that would have been among them, with what is wrong with them; in the order of their finding. */
  readonly refused: ReadonlyMap<string, RefusedPattern>;
}

/** Groups of which a call is tried in each round, the largest ones; all calls are counted when the set is verified. */
const TRIED = 500;

/** After so many rounds what is left is taken without what has a fault. */
const ROUNDS = 40;

/**
 * The smallest set of patterns that is found to answer the wanted part of the asks, without any that has a fault: whatever
 * has one is replaced, until the whole set has none.
 */
export function suggestSet(groups: readonly AskGroup[], options: SetOptions): SuggestedSet {
  const { percent, max, judge } = options;
  const goal = Math.ceil(askCount(groups) * percent / 100);
  const refused = new Map<string, RefusedPattern>();
  for (const [pattern, fault] of options.known ?? []) {
    refused.set(pattern, { ...fault, asks: asksAbout(groups, pattern) });
  }
  let open = groups;
  for (let round = 0; round < ROUNDS; round++) {
    const { picks, answered } = coverAsks(open, { goal, max, banned: new Set(refused.keys()) });
    if (picks.length === 0) break;
    const { faults, allows } = judge(picks.map(({ pattern }) => pattern));
    for (const [pattern, fault] of faults) {
      refused.set(pattern, { ...fault, asks: asksAbout(groups, pattern) });
    }
    if (faults.size > 0) continue;
    const stubborn = new Set(
      answered.slice(0, TRIED).filter(({ examples: [first] }) => first && !allows(first)),
    );
    if (stubborn.size === 0) return { picks, refused };
    open = open.filter((group) => !stubborn.has(group));
    for (const pattern of useless(picks, { answered, stubborn })) {
      refused.set(pattern, { ...NO_EFFECT, asks: asksAbout(groups, pattern) });
    }
  }
  const { picks } = coverAsks(open, { goal, max, banned: new Set(refused.keys()) });
  return { picks: withoutFaults(picks, judge), refused };
}

/** What is left of a set when everything that has a fault is taken out, and what then has one. */
function withoutFaults(
  picks: readonly Candidate[],
  judge: SetOptions["judge"],
): readonly Candidate[] {
  for (let left = picks; left.length > 0;) {
    const { faults } = judge(left.map(({ pattern }) => pattern));
    if (faults.size === 0) return left;
    left = left.filter(({ pattern }) => !faults.has(pattern));
  }
  return [];
}

const NO_EFFECT: Fault = {
  id: "takes-effect",
  why: 'it would answer none of them where "add" puts it: other rules decide first',
};

/** Patterns that no group but stubborn ones needs. */
function useless(
  picks: readonly Candidate[],
  { answered, stubborn }: {
    readonly answered: readonly AskGroup[];
    readonly stubborn: ReadonlySet<AskGroup>;
  },
): readonly string[] {
  const helped = answered.filter((group) => !stubborn.has(group));
  return picks.flatMap(({ pattern }) => asksAbout(helped, pattern) === 0 ? [pattern] : []);
}

function asksAbout(groups: readonly AskGroup[], pattern: string): number {
  return askCount(
    groups.filter(({ needs }) =>
      needs.some(({ candidates }) => candidates.some((each) => each.pattern === pattern))
    ),
  );
}
