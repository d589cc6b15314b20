import type { ToolCall } from "../model/call.ts";

/** Calls that are counted together. */
export interface CallGroup {
  /** How many. */
  readonly calls: number;
  /** How many of them were not whole in the record, so that another verdict is possible. */
  readonly inexact: number;
  /** A short one; absent when all of them are too long to be shown. */
  readonly example?: ToolCall;
}

/** One call as it is counted. */
export interface Counted {
  /** The call. */
  readonly call: ToolCall;
  /** Its length as JSON, in UTF-16 code units. */
  readonly length: number;
  /** Whether it was whole in the record. */
  readonly exact: boolean;
}

/** More groups are counted together, so that memory stays constant. */
export const MOST_GROUPS = 10_000;

/** A longer call is no example, in UTF-16 code units of its JSON. */
const LONGEST_EXAMPLE = 500;

interface Draft<T> {
  readonly about: T;
  calls: number;
  inexact: number;
  length: number;
  example: ToolCall | undefined;
}

/** How many groups there may be, and what is done beyond. */
export interface GroupBounds {
  /** The most; MOST_GROUPS when left out. */
  readonly most?: number;
  /** `refuse` counts new groups as others (the default); `evict` gives up the small ones, to find what comes often late. */
  readonly whenFull?: "refuse" | "evict";
}

/** Groups of calls by a key, bounded in number. */
export class CallGroups<T> {
  readonly #groups = new Map<string, Draft<T>>();
  readonly #bounds: Required<GroupBounds>;
  #others = 0;

  /** No groups yet. */
  constructor({ most = MOST_GROUPS, whenFull = "refuse" }: GroupBounds = {}) {
    this.#bounds = { most, whenFull };
  }

  /** Counts a call; `about` says what is the same for all calls of its group. */
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

  /** Gives up the smaller half; what they counted is among the others. */
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

  /** Calls whose group there was no room for. */
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
