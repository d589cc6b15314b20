import { groupBy } from "../group_by.ts";
import { type CharSet, charSet, has, pairs } from "./char_set.ts";

/** An edge from one state to another. */
export interface Edge {
  /** The symbols that lead there; not empty. */
  readonly set: CharSet;
  /** The next state. */
  readonly to: State;
}

/** The work that all states of a store have done to find edges. */
export interface Effort {
  /** The number of edges looked at; counted up. */
  work: number;
}

/**
 * A state of an automaton, and so the language of the words that lead from it to a state that accepts. Not deterministic:
 * edges of one state may overlap. There is one state for each way to write a language, so that most equal ends are the
 * same state.
 */
export class State {
  /** Its number, unique in its store. */
  readonly id: number;
  /** True if the empty word is in the language. */
  readonly accepts: boolean;
  /** The work of its store. */
  readonly effort: Effort;
  #edges: readonly Edge[] | undefined;
  #find: ((self: State) => readonly Edge[]) | undefined;

  /** Made by `Automata`; edges that are not given are found when they are first asked for. */
  constructor(id: number, options: {
    readonly accepts: boolean;
    readonly effort: Effort;
    readonly edges: readonly Edge[] | ((self: State) => readonly Edge[]);
  }) {
    const { edges } = options;
    this.id = id;
    this.accepts = options.accepts;
    this.effort = options.effort;
    if (typeof edges === "function") this.#find = edges;
    else this.#edges = edges;
  }

  /** Its edges, found on first use. */
  get edges(): readonly Edge[] {
    if (this.#edges === undefined) {
      this.#edges = this.#find!(this);
      this.#find = undefined;
      this.effort.work += this.#edges.length;
    }
    return this.#edges;
  }
}

/** A key of two states of one store. */
export function pairKey(first: State, second: State): number {
  return first.id * MOST_STATES + second.id;
}

/** More states than fit into memory. */
const MOST_STATES = 0x4000000;

/** True if the word is in the language. */
export function includes(state: State, word: readonly number[]): boolean {
  let reached = [state];
  for (const symbol of word) {
    const next = new Set<State>();
    for (const { edges } of reached) {
      for (const { set, to } of edges) if (has(set, symbol)) next.add(to);
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

/** The edges, those to the same state joined into one. */
export function merged(edges: readonly Edge[]): readonly Edge[] {
  if (edges.length < 2) return edges;
  return [...groupBy(edges, ({ to }) => to)].map(([to, same]) => ({
    set: same.length === 1 ? same[0]!.set : charSet(same.flatMap(({ set }) => pairs(set))),
    to,
  }));
}
