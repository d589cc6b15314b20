import type { Action, CommandClass, ToolCall } from "../model/call.ts";
import type { Rule } from "../model/rule.ts";

/** A number of calls, and how many of them the record does not hold in full. */
export type CallCount = Omit<CallGroup, "example">;

/** A rule and the calls in which it decided something. */
export interface RuleUse extends CallCount {
  /** The rule; null for calls with a part that no rule matches. */
  readonly rule: Rule | null;
}

/** Calls that ask and that one narrow rule would answer, in part or whole. */
export interface AskGroup extends CallGroup {
  /** The pattern of that rule; undefined if no pattern can express it. */
  readonly pattern: string | undefined;
}

/** The action of a group of calls, and the rule that decided it. */
export interface ActionAndRule {
  readonly action: Action;
  /** The rule that decided; null if none matches, absent if only the action is known. */
  readonly rule?: Rule | null;
}

/** Calls with different answers from two policies, or from the record and the policy. */
export interface ChangeGroup extends CallGroup {
  /** The answer of the other policy, or of the record. */
  readonly was: ActionAndRule;
  /** The answer of the policy. */
  readonly now: ActionAndRule;
}

/** Groups, and the number of calls beyond the limit. */
export interface Bounded<T> {
  readonly groups: readonly T[];
  /** The number of calls in no group. */
  readonly others: number;
}

/** The commands of each class by their decisions. */
export type ClassCounts = Readonly<
  Partial<Record<CommandClass, Readonly<Record<Action, number>>>>
>;

/** The result of a replay. */
export interface ReplayReport {
  readonly all: CallCount;
  /** Calls by decision. */
  readonly decisions: Readonly<Record<Action, CallCount>>;
  /** Rules by their calls, most used first. */
  readonly rules: readonly RuleUse[];
  /** Rules that decided nothing, in their order; without the built-in ones. */
  readonly unused: readonly Rule[];
  /** The commands of the lines by class; one of several classes counts in each. */
  readonly classes: ClassCounts;
  /** Calls that ask, most frequent first. A call counts in each of its groups. */
  readonly asks: Bounded<AskGroup>;
  /** Calls that another policy decides differently, looser ones first; absent without one. */
  readonly changes?: Bounded<ChangeGroup>;
  /** Calls whose recorded verdict was different; absent if no line has one. */
  readonly since?: Bounded<ChangeGroup>;
}

/** Calls that are counted together. */
interface CallGroup {
  readonly calls: number;
  /** The number of calls that the record does not hold in full, so that the verdict may differ. */
  readonly inexact: number;
  /** A short call; absent if all are too long to be shown. */
  readonly example?: ToolCall;
}

/** One call to count. */
export interface Counted {
  readonly call: ToolCall;
  /** Its length as JSON, in UTF-16 code units. */
  readonly length: number;
  /** True if the record holds it in full. */
  readonly exact: boolean;
}

/** The most groups; further ones are counted together, so that memory stays constant. */
const MOST_GROUPS = 10_000;

/** The longest example, in UTF-16 code units of its JSON. */
const LONGEST_EXAMPLE = 500;

interface Draft<T> {
  readonly about: T;
  calls: number;
  inexact: number;
  length: number;
  example: ToolCall | undefined;
}

/** The most groups, and the policy when they are full. */
interface GroupBounds {
  /** The most; MOST_GROUPS when left out. */
  readonly most?: number;
  /**
   * `refuse` counts new groups as others (the default); `evict` drops small groups, so that frequent groups are found even
   * late.
   */
  readonly whenFull?: "refuse" | "evict";
}

/** Groups of calls by a key, bounded in number. */
export class CallGroups<T> {
  readonly #groups = new Map<string, Draft<T>>();
  readonly #bounds: Required<GroupBounds>;
  #others = 0;

  constructor({ most = MOST_GROUPS, whenFull = "refuse" }: GroupBounds = {}) {
    this.#bounds = { most, whenFull };
  }

  /** Counts a call; `about` holds the properties that all calls of its group share. */
  add(key: string, { counted, about }: { readonly counted: Counted; readonly about: T }): void {
    let group = this.#groups.get(key);
    if (!group) {
      if (this.#groups.size >= this.#bounds.most) {
        if (this.#bounds.whenFull === "refuse") {
          this.#others++;
          return;
        }
        this.#evict();
      }
      group = { about, calls: 0, inexact: 0, length: LONGEST_EXAMPLE + 1, example: undefined };
      this.#groups.set(key, group);
    }
    group.calls++;
    if (!counted.exact) group.inexact++;
    if (counted.length < group.length) {
      group.length = counted.length;
      group.example = counted.call;
    }
  }

  /** Drops the smaller half; their calls count among the others. */
  #evict(): void {
    const sizes = [...this.#groups.values()].map(({ calls }) => calls).sort((a, b) => a - b);
    const middle = sizes[sizes.length >> 1] ?? 0;
    let left = (this.#groups.size >> 1) + 1;
    for (const [key, { calls }] of this.#groups) {
      if (left <= 0) break;
      if (calls > middle) continue;
      this.#groups.delete(key);
      this.#others += calls;
      left--;
    }
  }

  /** The number of calls in no group. */
  get others(): number {
    return this.#others;
  }

  /** The groups, largest first, equal ones in the order in which they came. */
  sorted(): readonly (T & CallGroup)[] {
    return [...this.#groups.values()].sort((a, b) => b.calls - a.calls)
      .map(({ about, calls, inexact, example }) => ({
        ...about,
        calls,
        inexact,
        ...(example === undefined ? {} : { example }),
      }));
  }
}
