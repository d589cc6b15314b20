import { intersection, mostReadableOf, rankOf } from "./char_set.ts";
import type { FoundWord } from "./find_words.ts";
import type { State } from "./state.ts";

/** One state of each of two languages. */
interface Pair {
  readonly first: State;
  readonly second: State;
  /** The number of symbols on the way there. */
  readonly depth: number;
  readonly steps: Step[];
}

interface Step {
  readonly symbol: number;
  readonly to: Pair;
}

/**
 * The most readable of the shortest words that are in both languages: the same word for the same language, however it is written.
 * Undefined if there is none; `spent` if `most` steps do not suffice.
 */
export function leastWord(
  [first, second]: readonly [State, State],
  most: number,
): FoundWord | undefined {
  const seen: Seen = new Map();
  const start = { first, second, depth: 0, steps: [] };
  seen.set(first.id, new Map([[second.id, start]]));
  const layers: (readonly Pair[])[] = [[start]];
  let left = most;
  for (let layer = layers[0]!; layer.length > 0; layer = layers.at(-1)!) {
    const ends = layer.filter((pair) => pair.first.accepts && pair.second.accepts);
    if (ends.length > 0) return wordTo(new Set(ends), layers);
    const fresh: Pair[] = [];
    const before = first.effort.work;
    for (const pair of layer) {
      left -= grow(pair, { seen, fresh });
      if (left < first.effort.work - before) return "spent";
    }
    left -= first.effort.work - before;
    layers.push(fresh);
  }
  return undefined;
}

type Seen = Map<number, Map<number, Pair>>;

/** Adds the steps from a pair into the next layer; returns their cost. */
function grow(pair: Pair, { seen, fresh }: { seen: Seen; fresh: Pair[] }): number {
  const { first, second, steps } = pair;
  const depth = pair.depth + 1;
  for (const left of first.edges) {
    for (const right of second.edges) {
      const set = intersection(left.set, right.set);
      if (set.length === 0) continue;
      let row = seen.get(left.to.id);
      if (!row) seen.set(left.to.id, row = new Map());
      let to = row.get(right.to.id);
      if (!to) {
        row.set(right.to.id, to = { first: left.to, second: right.to, depth, steps: [] });
        fresh.push(to);
      }
      // A pair of an earlier layer is on no shortest way.
      if (to.depth === depth) steps.push({ symbol: mostReadableOf(set), to });
    }
  }
  return 1 + first.edges.length * second.edges.length;
}

/** The most readable word that leads through the layers to one of the ends. */
function wordTo(ends: ReadonlySet<Pair>, layers: readonly (readonly Pair[])[]): readonly number[] {
  const goals = [ends];
  for (let at = layers.length - 2; at >= 0; at--) {
    const next = goals[0]!;
    goals.unshift(new Set(layers[at]!.filter(({ steps }) => steps.some(({ to }) => next.has(to)))));
  }
  const word: number[] = [];
  let places: ReadonlySet<Pair> = goals[0]!;
  for (const next of goals.slice(1)) {
    const steps = [...places].flatMap(({ steps }) => steps.filter(({ to }) => next.has(to)));
    const least = steps.map(({ symbol }) => symbol)
      .reduce((a, b) => rankOf(b) < rankOf(a) ? b : a);
    word.push(least);
    // The most readable of all is the most readable of every set that it is in.
    places = new Set(steps.filter(({ symbol }) => symbol === least).map(({ to }) => to));
  }
  return word;
}
