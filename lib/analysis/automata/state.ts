import type { CharSet } from "./char_set.ts";

/** One way from a state to another. */
export interface Edge {
  /** The symbols that lead there; not empty. */
  readonly set: CharSet;
  /** Where they lead. */
  readonly to: State;
}

/** How much was done to find edges, all states of a store together. */
export interface Effort {
  /** Counted up by what was looked at. */
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
  /** Whether the empty word is in the language. */
  readonly accepts: boolean;
  /** What its store has done so far. */
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

  /** The ways from it. */
  get edges(): readonly Edge[] {
    if (this.#edges === undefined) {
      this.#edges = this.#find!(this);
      this.#find = undefined;
      this.effort.work += this.#edges.length;
    }
    return this.#edges;
  }
}
