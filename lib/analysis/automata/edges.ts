import type { CharSet } from "./char_set.ts";
import type { Edge, State } from "./state.ts";

/** Whether the word is in the language. */
export function includes(state: State, word: readonly number[]): boolean {
  let reached = [state];
  for (const symbol of word) {
    const next = new Set<State>();
    for (const { edges } of reached) {
      for (const { set, to } of edges) if (covers(set, symbol)) next.add(to);
    }
    if (next.size === 0) return false;
    reached = [...next];
  }
  return reached.some(({ accepts }) => accepts);
}

/** The symbols of a text. */
export function symbolsOf(text: string): readonly number[] {
  return Array.from(text, (char) => char.codePointAt(0)!);
}

/** The range cut so that every edge takes all of a piece or nothing of it. */
export function pieces(
  [first, last]: readonly [number, number],
  edges: readonly Edge[],
): readonly (readonly [number, number])[] {
  const starts = new Set([first]);
  for (const { set } of edges) {
    for (let at = 0; at < set.length; at += 2) {
      if (set[at]! > first && set[at]! <= last) starts.add(set[at]!);
      if (set[at + 1]! >= first && set[at + 1]! < last) starts.add(set[at + 1]! + 1);
    }
  }
  const sorted = [...starts].sort((a, b) => a - b);
  return sorted.map((low, index) => [low, (sorted[index + 1] ?? last + 1) - 1]);
}

/** Whether the edge's set has the symbol. */
export function covers(set: CharSet, symbol: number): boolean {
  if (set.length === 2) return set[0]! <= symbol && symbol <= set[1]!;
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[2 * middle + 1]! < symbol) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && set[2 * low]! <= symbol;
}

/** Edges that lead to the same state as one. */
export function merged(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length < 2) return edges;
  const bySet = new Map<State, number[]>();
  for (const { set, to } of edges) {
    const known = bySet.get(to);
    if (known) known.push(...set);
    else bySet.set(to, [...set]);
  }
  return [...bySet].map(([to, flat]) => ({ set: normal(flat), to }));
}

function normal(flat: readonly number[]): CharSet {
  if (flat.length === 2) return flat;
  const ranges = Array.from(
    { length: flat.length / 2 },
    (_, at): [number, number] => [flat[2 * at]!, flat[2 * at + 1]!],
  ).sort((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [low, high] of ranges) {
    const last = set.at(-1);
    if (last !== undefined && low <= last + 1) set[set.length - 1] = Math.max(last, high);
    else set.push(low, high);
  }
  return set;
}
