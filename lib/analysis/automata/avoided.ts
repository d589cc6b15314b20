import { type CharSet, has, mostReadable, mostReadableOf, rankOf } from "./char_set.ts";
import { type Edge, pieces, type State } from "./state.ts";

/** The extra cost of one piece of a set, in edges. */
const CUT = 8;

/** The costs of a set of one range if nothing is avoided. */
const ONE_RANGE: readonly number[] = [CUT];

/** A way from states that are avoided to others. */
interface Cut {
  /** The most readable symbol that leads there. */
  readonly symbol: number;
  /** The states that it leads to. */
  readonly not: Avoided;
}

/** The ways by the symbols of a set, and their costs. */
interface Cuts {
  /** The cost of each range of the set, in edges. */
  readonly costs: readonly number[];
  /** One for each list of states that is reached, in the order of the symbols. */
  readonly ways: readonly Cut[];
}

/** The states that a place of a search avoids: in the order of their numbers, each once. A search has each list once. */
export class Avoided {
  readonly states: readonly State[];
  /** Its number, unique in its search. */
  readonly number: number;
  /** True if one of them accepts the empty word. */
  readonly accepts: boolean;
  /** True if each was looked at, and none accepts every text. */
  isOpen = false;
  readonly #lists: AvoidedLists;
  #bySymbol: Map<number, Avoided> | undefined;
  #bySet: Map<CharSet, Cuts> | undefined;
  #edges: readonly Edge[] | undefined;

  /** Made by `AvoidedLists`. */
  constructor(
    states: readonly State[],
    { number, lists }: { readonly number: number; readonly lists: AvoidedLists },
  ) {
    this.states = states;
    this.number = number;
    this.accepts = states.some(({ accepts }) => accepts);
    this.#lists = lists;
  }

  /** The edges of all states. */
  get edges(): readonly Edge[] {
    return this.#edges ??= this.states.length === 0 ? [] : edgesOf(this.states);
  }

  /** The states that a symbol leads to. */
  after(symbol: number): Avoided {
    if (this.states.length === 0) return this;
    let found = this.#bySymbol?.get(symbol);
    if (found === undefined) {
      const reached: State[] = [];
      for (const { set, to } of this.edges) if (has(set, symbol)) reached.push(to);
      found = this.#lists.of(reached);
      (this.#bySymbol ??= new Map()).set(symbol, found);
    }
    return found;
  }

  /** The states that each symbol of a set leads to. */
  cuts(set: CharSet): Cuts {
    if (this.states.length === 0) return this.#wayBy(set);
    let found = this.#bySet?.get(set);
    if (found === undefined) {
      found = this.#cutsOf(set);
      (this.#bySet ??= new Map()).set(set, found);
    }
    return found;
  }

  /** True if it has one of these states. */
  hasAny(states: readonly State[]): boolean {
    return states.some((state) => includesState(this.states, state));
  }

  /** The only way if nothing is avoided. */
  #wayBy(set: CharSet): Cuts {
    const costs = set.length === 2 ? ONE_RANGE : new Array(set.length >> 1).fill(CUT);
    return { costs, ways: [{ symbol: mostReadableOf(set), not: this }] };
  }

  #cutsOf(set: CharSet): Cuts {
    const touching = this.edges.filter((edge) => touches(edge, set));
    const costs: number[] = [];
    const ways = new Map<Avoided, number>();
    for (let at = 0; at < set.length; at += 2) {
      const cuts = pieces([set[at]!, set[at + 1]!], touching);
      costs.push(cuts.length * (CUT + touching.length));
      for (const [low, high] of cuts) {
        const reached: State[] = [];
        for (const edge of touching) if (has(edge.set, low)) reached.push(edge.to);
        const not = this.#lists.of(reached);
        const readable = mostReadable(low, high);
        const known = ways.get(not);
        if (known !== undefined && rankOf(known) <= rankOf(readable)) continue;
        ways.set(not, readable);
      }
    }
    return { costs, ways: Array.from(ways, ([not, symbol]) => ({ symbol, not })) };
  }
}

/** The lists of states that one search avoids. */
export class AvoidedLists {
  readonly #known = new Map<number, Avoided[]>();
  #size = 0;

  /** The list of these states, which come in any order and more than once. */
  of(states: State[]): Avoided {
    const list = inOrder(states);
    let hash = list.length;
    for (const { id } of list) hash = (Math.imul(hash, 31) + id) | 0;
    let same = this.#known.get(hash);
    if (same === undefined) this.#known.set(hash, same = []);
    let found = same.find((each) => isSame(each.states, list));
    if (found === undefined) {
      same.push(found = new Avoided(list, { number: this.#size++, lists: this }));
    }
    return found;
  }
}

function edgesOf(states: readonly State[]): readonly Edge[] {
  const all: Edge[] = [];
  for (const { edges } of states) for (const edge of edges) all.push(edge);
  return all;
}

/** States once each, in the order of their numbers. */
function inOrder(states: State[]): readonly State[] {
  let at = 1;
  while (at < states.length && states[at - 1]!.id < states[at]!.id) at++;
  if (at >= states.length) return states;
  states.sort((a, b) => a.id - b.id);
  return states.filter((state, place) => place === 0 || state !== states[place - 1]);
}

function isSame(some: readonly State[], others: readonly State[]): boolean {
  if (some.length !== others.length) return false;
  for (let at = 0; at < some.length; at++) if (some[at] !== others[at]) return false;
  return true;
}

function includesState(states: readonly State[], state: State): boolean {
  let low = 0;
  let high = states.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (states[middle]!.id < state.id) low = middle + 1;
    else high = middle;
  }
  return states[low] === state;
}

function touches({ set }: Edge, other: CharSet): boolean {
  const last = other[other.length - 1]!;
  return set[0]! <= last && set[set.length - 1]! >= other[0]!;
}
