import { intersection, mostReadableOf, rankOf } from "./char_set.ts";
import type { FoundWord } from "./find_words.ts";
import { pairKey, type State } from "./state.ts";

/** One state of each of two languages. */
interface Pair {
  readonly first: State;
  readonly second: State;
  /** The number of symbols on the way there. */
  readonly depth: number;
  /** The steps to pairs one symbol further. */
  steps: Step[];
  /** True if it is on a shortest way to an end. */
  leads: boolean;
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
  const start: Pair = { first, second, depth: 0, steps: NO_STEPS, leads: false };
  const search: Search = { seen: new Map([[pairKey(first, second), start]]), fresh: NO_PAIRS };
  const layers: (readonly Pair[])[] = [[start]];
  let left = most;
  for (let layer = layers[0]!; layer.length > 0; layer = layers.at(-1)!) {
    if (markEnds(layer)) return wordThrough(layers);
    search.fresh = NO_PAIRS;
    const before = first.effort.work;
    for (const pair of layer) {
      left -= grow(pair, search);
      if (left < first.effort.work - before) return "spent";
    }
    left -= first.effort.work - before;
    layers.push(search.fresh);
  }
  return undefined;
}

interface Search {
  /** The pairs so far, by the key of their states. */
  readonly seen: Map<number, Pair>;
  /** Those of the next layer. */
  fresh: Pair[];
}

const NO_PAIRS: Pair[] = [];

const NO_STEPS: Step[] = [];

/** Adds the steps from a pair into the next layer; returns their cost. */
function grow(pair: Pair, search: Search): number {
  const { first, second } = pair;
  const depth = pair.depth + 1;
  for (const left of first.edges) {
    for (const right of second.edges) {
      const set = intersection(left.set, right.set);
      if (set.length === 0) continue;
      const key = pairKey(left.to, right.to);
      let to = search.seen.get(key);
      if (!to) {
        to = { first: left.to, second: right.to, depth, steps: NO_STEPS, leads: false };
        search.seen.set(key, to);
        search.fresh = withOne(search.fresh, to);
      }
      // A pair of an earlier layer is on no shortest way.
      if (to.depth !== depth) continue;
      const step = { symbol: mostReadableOf(set), to };
      pair.steps = withOne(pair.steps, step);
    }
  }
  return 1 + first.edges.length * second.edges.length;
}

/** The list with one more; a new one in the place of the empty one. Most have one, for which a list that grows reserves seventeen places. */
function withOne<T>(list: T[], more: T): T[] {
  if (list.length === 0) return [more];
  list.push(more);
  return list;
}

/** Marks the pairs whose languages both end there; true if there are any. */
function markEnds(layer: readonly Pair[]): boolean {
  let hasEnds = false;
  for (const pair of layer) {
    if (!pair.first.accepts || !pair.second.accepts) continue;
    hasEnds = pair.leads = true;
  }
  return hasEnds;
}

/** The most readable word that leads through the layers to one of the ends, which are marked in the last layer. */
function wordThrough(layers: readonly (readonly Pair[])[]): readonly number[] {
  for (let at = layers.length - 2; at >= 0; at--) {
    for (const pair of layers[at]!) pair.leads = pair.steps.some(({ to }) => to.leads);
  }
  const word: number[] = [];
  let places: readonly Pair[] = layers[0]!;
  while (word.length < layers.length - 1) {
    const steps = stepsOf(places);
    let least = steps[0]!.symbol;
    for (const { symbol } of steps) if (rankOf(symbol) < rankOf(least)) least = symbol;
    word.push(least);
    // The most readable of all is the most readable of every set that it is in.
    places = steps.length === 1
      ? [steps[0]!.to]
      : [...new Set(steps.filter(({ symbol }) => symbol === least).map(({ to }) => to))];
  }
  return word;
}

/** The steps from these pairs that lead to an end. */
function stepsOf(places: readonly Pair[]): readonly Step[] {
  const [only] = places;
  // Text leaves no choice.
  if (places.length === 1 && only!.steps.length === 1) return only!.steps;
  return places.flatMap(({ steps }) => steps.filter(({ to }) => to.leads));
}
