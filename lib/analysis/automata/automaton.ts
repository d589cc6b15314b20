import { ANY, type CharSet, has, intersection, LAST, only, SINGLES } from "./char_set.ts";
import { type Edge, type Effort, merged, pairKey, pieces, State } from "./state.ts";

/** No symbol is below it. */
const LOWEST = -9;
const DIGITS: CharSet = [0x30, 0x39];
const SLASH = 0x2f;

/** A store of states: equal languages that are built alike are one state. */
export class Automata {
  /** The cost of the edges that were found so far. */
  readonly effort: Effort = { work: 0 };
  readonly #states = new Map<string, State>();
  readonly #pairs = new Map<number, State>();
  readonly #sets = new Map<string, number>();
  /** The states of one symbol, and those that repeat one, by the number of its set and then of what follows. */
  readonly #ones: Map<number, State>[] = [];
  readonly #stars: Map<number, State>[] = [];
  readonly #idsOfSets = new WeakMap<CharSet, number>();
  /** The same of sets that are one symbol of ASCII, by that symbol. */
  readonly #idsOfSymbols: number[] = [];
  #next = 0;

  /** The language without words. */
  readonly nothing: State = this.#new(false, []);
  /** The language of the empty word. */
  readonly end: State = this.#new(true, []);
  /** The language of all texts. */
  readonly everything: State = this.star(ANY, this.end);
  /** All words, with marks in them or without. */
  readonly whatever: State = this.star([LOWEST, LAST], this.end);

  /** A symbol of the set, then what follows. */
  one(set: CharSet, next: State): State {
    if (set.length === 0 || next === this.nothing) return this.nothing;
    const known = this.#ones[this.#idOf(set)] ??= new Map();
    let state = known.get(next.id);
    if (!state) known.set(next.id, state = this.#new(false, [{ set, to: next }]));
    return state;
  }

  /** The text, then what follows. */
  text(text: string, next: State): State {
    let state = next;
    for (const char of [...text].reverse()) {
      state = this.one(only(char.codePointAt(0)!), state);
    }
    return state;
  }

  /** Any number of symbols of the set, then what follows. */
  star(set: CharSet, next: State): State {
    if (next === this.nothing || set.length === 0) return next;
    const known = this.#stars[this.#idOf(set)] ??= new Map();
    let state = known.get(next.id);
    if (!state) {
      state = this.#new(next.accepts, (self) => [{ set, to: self }, ...next.edges]);
      known.set(next.id, state);
    }
    return state;
  }

  /** One of the languages. */
  either(states: readonly State[]): State {
    if (states.length === 1) return states[0]!;
    const parts = [...new Set(states)].filter((state) => state !== this.nothing);
    if (parts.length === 0) return this.nothing;
    if (parts.length === 1) return parts[0]!;
    if (parts.includes(this.whatever)) return this.whatever;
    const sorted = parts.sort((a, b) => a.id - b.id);
    return this.#make(
      `| ${idsOf(sorted)}`,
      sorted.some(({ accepts }) => accepts),
      () => merged(sorted.flatMap(({ edges }) => edges)),
    );
  }

  /** The words that are in both languages. */
  both(a: State, b: State): State {
    if (a === b || b === this.whatever) return a;
    if (a === this.whatever) return b;
    if (a === this.nothing || b === this.nothing) return this.nothing;
    const [first, second] = a.id < b.id ? [a, b] : [b, a];
    const key = pairKey(first, second);
    let state = this.#pairs.get(key);
    if (!state) {
      const accepts = first.accepts && second.accepts;
      state = this.#new(accepts, () => this.#bothEdges(first, second));
      this.#pairs.set(key, state);
    }
    return state;
  }

  /** All texts that are in none of the languages, which must be languages of texts. Its states have one way each. */
  not(states: readonly State[]): State {
    const parts = [...new Set(states)].filter((state) => state !== this.nothing)
      .sort((a, b) => a.id - b.id);
    if (parts.length === 0) return this.everything;
    if (parts.includes(this.everything)) return this.nothing;
    return this.#make(
      `! ${idsOf(parts)}`,
      !parts.some(({ accepts }) => accepts),
      () => this.#notEdges(parts),
    );
  }

  /** A word of the first language, the mark, then what follows. */
  then(inner: State, { mark, next }: { mark: CharSet; next: State }): State {
    if (inner === this.nothing || next === this.nothing) return this.nothing;
    return this.#make(`; ${inner.id} ${this.#idOf(mark)} ${next.id}`, false, () => {
      const edges = inner.edges.map(({ set, to }) => ({ set, to: this.then(to, { mark, next }) }));
      return inner.accepts ? [...edges, { set: mark, to: next }] : edges;
    });
  }

  /** One or more words of a language, each behind a symbol of the set, which is in none of them. */
  loop({ before, inner }: { before: CharSet; inner: State }): State {
    const again: State = this.#make(`o ${this.#idOf(before)} ${inner.id}`, false, () => [
      { set: before, to: this.#turn(inner, again) },
    ]);
    return again;
  }

  /** The rest of a word of a loop, then the loop once more or the end. */
  #turn(inner: State, again: State): State {
    return this.#make(`t ${inner.id} ${again.id}`, inner.accepts, () => [
      ...inner.edges.map(({ set, to }) => ({ set, to: this.#turn(to, again) })),
      ...(inner.accepts ? again.edges : []),
    ]);
  }

  /** The words of a language with a `:` and digits in them, at any place before a slash: a port that it does not name. */
  withPort(inner: State): State {
    return this.#make(`p ${inner.id}`, false, () => [
      ...inner.edges.map(({ set, to }) => ({ set, to: this.withPort(to) })),
      { set: [0x3a, 0x3a], to: this.one(DIGITS, this.#digits(inner)) },
    ]);
  }

  #digits(inner: State): State {
    return this.#make(`d ${inner.id}`, false, (self) => [
      { set: DIGITS, to: self },
      ...inner.edges.filter(({ set }) => has(set, SLASH))
        .map(({ to }) => ({ set: [SLASH, SLASH], to })),
    ]);
  }

  #bothEdges(first: State, second: State): readonly Edge[] {
    this.effort.work += first.edges.length * second.edges.length;
    return first.edges.flatMap((left) =>
      second.edges.flatMap((right): readonly Edge[] => {
        const set = intersection(left.set, right.set);
        const to = set.length === 0 ? this.nothing : this.both(left.to, right.to);
        return to === this.nothing ? [] : [{ set, to }];
      })
    );
  }

  #notEdges(parts: readonly State[]): readonly Edge[] {
    const edges = parts.flatMap((part) => part.edges);
    const found: Edge[] = [];
    const cuts = pieces([0, LAST], edges);
    this.effort.work += cuts.length * edges.length;
    for (const [low, high] of cuts) {
      const to = this.not(edges.filter(({ set }) => has(set, low)).map((edge) => edge.to));
      if (to !== this.nothing) found.push({ set: [low, high], to });
    }
    return merged(found);
  }

  #make(key: string, accepts: boolean, find: (self: State) => readonly Edge[]): State {
    let state = this.#states.get(key);
    if (!state) {
      this.effort.work += key.length;
      this.#states.set(key, state = this.#new(accepts, find));
    }
    return state;
  }

  #new(accepts: boolean, edges: readonly Edge[] | ((self: State) => readonly Edge[])): State {
    return new State(this.#next++, { accepts, effort: this.effort, edges });
  }

  #idOf(set: CharSet): number {
    const symbol = set[0]!;
    if (set === SINGLES[symbol]) return this.#idsOfSymbols[symbol] ??= this.#findId(set);
    return this.#findId(set);
  }

  #findId(set: CharSet): number {
    let id = this.#idsOfSets.get(set);
    if (id !== undefined) return id;
    const key = set.join();
    id = this.#sets.get(key);
    if (id === undefined) this.#sets.set(key, id = this.#sets.size);
    this.#idsOfSets.set(set, id);
    return id;
  }
}

function idsOf(states: readonly State[]): string {
  return states.map(({ id }) => id).join();
}
