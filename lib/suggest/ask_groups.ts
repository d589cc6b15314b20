import type { ToolCall } from "../model/call.ts";

/** Asks that the same rules would answer. */
export interface AskGroup {
  /** The patterns that would answer them: one of each choice. */
  readonly choices: readonly PatternChoice[];
  /** The number of asks. */
  readonly count: number;
  /** The number of different exact calls among them; 2 means 2 or more. */
  readonly kinds: number;
  /** A few of the calls, the first ones. */
  readonly examples: readonly ToolCall[];
}

type Growing = { -readonly [K in keyof AskGroup]: AskGroup[K] };

/** Calls kept of a group. */
const EXAMPLES = 3;

/**
 * Groups asks by the rules that would answer them, in bounded memory. With too many groups the rare ones lose their exact
 * patterns and are merged; if there still are too many, the rarest are dropped and only counted.
 */
export class AskGroups {
  readonly #most: number;
  #groups = new Map<string, Growing>();
  #dropped = 0;
  #folded = 0;

  constructor({ most = 10_000 }: { readonly most?: number } = {}) {
    this.#most = most;
  }

  /** Counts one ask. */
  add(choices: readonly PatternChoice[], call: ToolCall): void {
    this.#put({ choices, count: 1, kinds: 1, examples: [call] });
    if (this.#groups.size > this.#most) this.#shrink();
  }

  /** The groups, the largest first, and in a fixed order among equals. */
  get groups(): readonly AskGroup[] {
    return ranked(this.#groups).map(([, group]) => group);
  }

  /** The number of asks that are in no group any more. */
  get dropped(): number {
    return this.#dropped;
  }

  /** The number of groups that lost their exact patterns. */
  get folded(): number {
    return this.#folded;
  }

  #put(group: AskGroup): void {
    const key = keyOf(group.choices);
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
      const choices = group.choices.map(withoutLetters);
      const isOther = keyOf(choices) !== key;
      if (isOther) this.#folded++;
      this.#put(isOther ? { ...group, choices, kinds: 2 } : group);
    }
    if (this.#groups.size <= this.#most * 3 / 4) return;
    const left = ranked(this.#groups);
    for (const [, { count }] of left.slice(half)) this.#dropped += count;
    this.#groups = new Map(left.slice(0, half));
  }
}

/** The choice without its exact patterns, if it has others. */
function withoutLetters(choice: PatternChoice): PatternChoice {
  const wide = choice.patterns.filter(({ kind }) => !isLetters(kind));
  return wide.length === 0 ? choice : { patterns: wide };
}

function isLetters(kind: PatternBreadth): boolean {
  return kind === "file" || kind === "literal";
}

function keyOf(choices: readonly PatternChoice[]): string {
  return choices.map(({ patterns }) => patterns.map(patternOf).join("\n")).join("\n\n");
}

function patternOf({ pattern }: SuggestablePattern): string {
  return pattern;
}

function ranked(groups: ReadonlyMap<string, Growing>): readonly (readonly [string, Growing])[] {
  return [...groups].sort(([one, a], [other, b]) =>
    b.count - a.count || (one < other ? -1 : one > other ? 1 : 0)
  );
}

/**
 * The breadth of a pattern: `file` and `literal` match one exact thing, `folder` everything below a folder, `prefix` a
 * program and its sub-command, `host` every path of a host, `tool` every call of a tool.
 */
export type PatternBreadth = "file" | "literal" | "folder" | "prefix" | "host" | "tool";

/** A pattern that may be suggested. */
export interface SuggestablePattern {
  readonly pattern: string;
  readonly kind: PatternBreadth;
}

/** Patterns any of which answers one part of a call. */
export interface PatternChoice {
  /** Any of these answers it, the narrowest first; at least one. */
  readonly patterns: readonly SuggestablePattern[];
}

/** The number of asks from which a pattern is worth a rule. */
const LEAST: Readonly<Record<PatternBreadth, number>> = {
  file: 2,
  literal: 2,
  folder: 3,
  prefix: 1,
  host: 1,
  tool: 1,
};

const ORDER: readonly PatternBreadth[] = ["file", "literal", "folder", "prefix", "host", "tool"];

/** True if a pattern that answers so many asks, of so many kinds, is worth a rule. */
export function isWorthRule(
  { kind }: SuggestablePattern,
  { asks, kinds }: { readonly asks: number; readonly kinds: number },
): boolean {
  return asks >= LEAST[kind] && (kind !== "folder" || kinds > 1);
}

/** Orders two patterns, the narrower first. Never 0 for different patterns. */
export function compareBreadth(one: SuggestablePattern, other: SuggestablePattern): number {
  return ORDER.indexOf(one.kind) - ORDER.indexOf(other.kind) ||
    other.pattern.length - one.pattern.length ||
    (one.pattern < other.pattern ? -1 : one.pattern > other.pattern ? 1 : 0);
}
