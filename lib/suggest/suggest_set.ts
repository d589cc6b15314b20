import type { AskGroup, SuggestablePattern } from "./ask_groups.ts";
import { askCount, choosePatterns } from "./choose_patterns.ts";
import type { ToolCall } from "../model/call.ts";

/** The reason why a pattern is not suggested. */
export interface Fault {
  /** The id of a finding of lint, or `takes-effect`, `loosens`: see `why`. */
  readonly id: string;
  /** The reason, in one sentence without a final full stop. */
  readonly why: string;
}

/** A pattern that is not suggested. */
export interface RefusedPattern extends Fault {
  /** The number of asks that it might have answered. */
  readonly asks: number;
}

/** The result of checking a set of patterns against the policy. */
export interface SetCheckResult {
  /** The patterns that have a fault. */
  readonly faults: ReadonlyMap<string, Fault>;
  /** True if the policy with all of the patterns allows a call. */
  readonly allows: (call: ToolCall) => boolean;
}

/** Options of `suggestSet`. */
export interface SetOptions {
  /** The percentage of the asks to answer, from 1 to 100. */
  readonly percent: number;
  /** The most rules. */
  readonly max: number;
  /** Patterns that are known to have a fault. */
  readonly known?: ReadonlyMap<string, Fault>;
  /** Checks a set of patterns; the same set always has the same result. */
  readonly check: (patterns: readonly string[]) => SetCheckResult;
}

/** A set of rules that has no fault. */
export interface SuggestedSet {
  /** The patterns, the one that answers most first. */
  readonly picks: readonly SuggestablePattern[];
  /** Patterns with a fault that were tried, in the order in which they were found. */
  readonly refused: ReadonlyMap<string, RefusedPattern>;
}

/**
 * The number of groups, largest first, of which a call is tried in each round; the final check counts all calls.
 */
const TRIED = 500;

/** The most rounds; afterwards patterns with a fault are simply left out. */
const ROUNDS = 40;

/**
 * A small set of patterns that answers the wanted part of the asks. Patterns with a fault are replaced until the whole set
 * has none.
 */
export function suggestSet(groups: readonly AskGroup[], options: SetOptions): SuggestedSet {
  const { percent, max, check } = options;
  const goal = Math.ceil(askCount(groups) * percent / 100);
  const refused = new Map<string, RefusedPattern>();
  for (const [pattern, fault] of options.known ?? []) {
    refused.set(pattern, { ...fault, asks: asksAbout(groups, pattern) });
  }
  let open = groups;
  for (let round = 0; round < ROUNDS; round++) {
    const { picks, answered } = choosePatterns(open, {
      goal,
      max,
      banned: new Set(refused.keys()),
    });
    if (picks.length === 0) break;
    const { faults, allows } = check(picks.map(({ pattern }) => pattern));
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
  const { picks } = choosePatterns(open, { goal, max, banned: new Set(refused.keys()) });
  return { picks: withoutFaults(picks, check), refused };
}

/** The set without patterns that have a fault, again and again until none has. */
function withoutFaults(
  picks: readonly SuggestablePattern[],
  check: SetOptions["check"],
): readonly SuggestablePattern[] {
  for (let left = picks; left.length > 0;) {
    const { faults } = check(left.map(({ pattern }) => pattern));
    if (faults.size === 0) return left;
    left = left.filter(({ pattern }) => !faults.has(pattern));
  }
  return [];
}

const NO_EFFECT: Fault = {
  id: "takes-effect",
  why: 'it would answer none of them where "add" puts it: other rules decide first',
};

/** Patterns that only unanswered groups need. */
function useless(
  picks: readonly SuggestablePattern[],
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
    groups.filter(({ choices }) =>
      choices.some(({ patterns }) => patterns.some((each) => each.pattern === pattern))
    ),
  );
}
