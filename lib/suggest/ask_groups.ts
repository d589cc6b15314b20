import type { ToolCall } from "../model/call.ts";
import type { Candidate, CandidateKind, Need } from "./candidate.ts";

/** Asks that the same rules would answer. */
export interface AskGroup {
  /** What they are asked about; a rule is needed for each. */
  readonly needs: readonly Need[];
  /** How many they are. */
  readonly count: number;
  /** How many of them differ in what is to the letter; 2 stands for more, too. */
  readonly kinds: number;
  /** A few of the calls, the first ones. */
  readonly examples: readonly ToolCall[];
}

type Growing = { -readonly [K in keyof AskGroup]: AskGroup[K] };

/** Calls kept of a group. */
const EXAMPLES = 3;

/**
 * Asks by what would answer them, in bounded memory: with too many groups those that come seldom lose what they have to the
 * letter and are put together; if they still are too many, the rarest are dropped and only counted.
 */
export class AskGroups {
  readonly #most: number;
  #groups = new Map<string, Growing>();
  #dropped = 0;
  #folded = 0;

  /** `most`: how many groups are kept; 10,000 when left out. */
  constructor({ most = 10_000 }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** Counts one ask. */
  add(needs: readonly Need[], call: ToolCall): void {
    this.#put({ needs, count: 1, kinds: 1, examples: [call] });
    if (this.#groups.size > this.#most) this.#shrink();
  }

  /** The groups, the largest first, and in a fixed order among equals. */
  get groups(): readonly AskGroup[] {
    return ranked(this.#groups).map(([, group]) => group);
  }

  /** How many asks are in no group any more. */
  get dropped(): number {
    return this.#dropped;
  }

  /** How many groups lost what they had to the letter. */
  get folded(): number {
    return this.#folded;
  }

  #put(group: AskGroup): void {
    const key = keyOf(group.needs);
    const known = this.#groups.get(key);
    if (known === undefined) {
      this.#groups.set(key, { ...group });
      return;
    }
    known.count += group.count;
    known.kinds = Math.max(known.kinds, group.kinds);
    if (known.examples.length < EXAMPLES) {
      known.examples = [...known.examples, ...group.examples].slice(0, EXAMPLES);
    }
  }

  #shrink(): void {
    const all = ranked(this.#groups);
    const half = Math.floor(this.#most / 2);
    this.#groups = new Map(all.slice(0, half));
    for (const [key, group] of all.slice(half)) {
      const needs = group.needs.map(withoutLetters);
      const isOther = keyOf(needs) !== key;
      if (isOther) this.#folded++;
      this.#put(isOther ? { ...group, needs, kinds: 2 } : group);
    }
    if (this.#groups.size <= this.#most * 3 / 4) return;
    const left = ranked(this.#groups);
    for (const [, { count }] of left.slice(half)) this.#dropped += count;
    this.#groups = new Map(left.slice(0, half));
  }
}

/** What a need is without the patterns that fit one thing only, where it has others. */
function withoutLetters(need: Need): Need {
  const wide = need.candidates.filter(({ kind }) => !isLetters(kind));
  return wide.length === 0 ? need : { candidates: wide };
}

function isLetters(kind: CandidateKind): boolean {
  return kind === "file" || kind === "literal";
}

function keyOf(needs: readonly Need[]): string {
  return needs.map(({ candidates }) => candidates.map(patternOf).join("\n")).join("\n\n");
}

function patternOf({ pattern }: Candidate): string {
  return pattern;
}

function ranked(groups: ReadonlyMap<string, Growing>): readonly (readonly [string, Growing])[] {
  return [...groups].sort(([one, a], [other, b]) =>
    b.count - a.count || (one < other ? -1 : one > other ? 1 : 0)
  );
}
