import { groupBy } from "../group_by.ts";
import type { State } from "./state.ts";

/** The length of the beginnings that languages are compared by, in UTF-16 code units. */
const MAX_HEAD = 256;

/** The most states in which a language is followed at once. */
const MAX_STATES = 16;

/** So many sorted lists are merged one by one. */
const FEW = 4;

/** A text that some languages begin with. */
interface Head {
  readonly text: string;
  /** The places of those languages, in order. */
  readonly places: readonly number[];
  /** The longest other text that it begins with. */
  readonly shorter: Head | undefined;
}

/** An index of languages by a text that all their words begin or end with. */
export class HeadIndex {
  /** Sorted by their texts. */
  readonly #heads: readonly Head[];
  readonly #size: number;

  /** Two languages share no word if neither's text begins with the other's. */
  constructor(heads: readonly string[]) {
    const places = groupBy(heads.keys(), (place) => heads[place]!);
    let last: Head | undefined;
    this.#heads = [...places.keys()].sort().map((text) => {
      let shorter = last;
      while (shorter && !text.startsWith(shorter.text)) shorter = shorter.shorter;
      return last = { text, places: places.get(text)!, shorter };
    });
    this.#size = heads.length;
  }

  /** The places of all that may share a word with one of that text, in order. */
  near(head: string): readonly number[] {
    const from = this.#lowerBound(head);
    const found: (readonly number[])[] = [];
    for (let at = from; at < this.#heads.length; at++) {
      const { text, places } = this.#heads[at]!;
      if (!text.startsWith(head)) break;
      found.push(places);
    }
    let shorter = this.#heads[from - 1];
    while (shorter && !head.startsWith(shorter.text)) shorter = shorter.shorter;
    for (; shorter; shorter = shorter.shorter) found.push(shorter.places);
    return this.#inOrder(found);
  }

  #inOrder(found: readonly (readonly number[])[]): readonly number[] {
    if (found.length < 2) return found[0] ?? [];
    if (found.length <= FEW) return found.reduce(merged);
    const all = found.flat();
    // Many are told by marks sooner than they are sorted.
    return all.length * FEW < this.#size ? all.sort((a, b) => a - b) : marked(all, this.#size);
  }

  #lowerBound(head: string): number {
    let low = 0;
    let high = this.#heads.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#heads[middle]!.text < head) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}

/** Different numbers below `size`, in order. */
function marked(numbers: readonly number[], size: number): readonly number[] {
  const marks = new Uint8Array(size);
  for (const each of numbers) marks[each] = 1;
  const all: number[] = [];
  for (let at = 0; at < size; at++) if (marks[at] === 1) all.push(at);
  return all;
}

/** The numbers of two sorted lists, in order. */
function merged(some: readonly number[], others: readonly number[]): readonly number[] {
  const all: number[] = [];
  let at = 0;
  for (const each of some) {
    while (at < others.length && others[at]! < each) all.push(others[at++]!);
    all.push(each);
  }
  while (at < others.length) all.push(others[at++]!);
  return all;
}

/** The text that every word of a language begins with; each mark is written as U+0000. */
export function headOf(state: State): string {
  let head = "";
  let states: readonly State[] = [state];
  while (head.length < MAX_HEAD) {
    const symbol = onlySymbol(states);
    if (symbol === undefined) break;
    head += symbol < 0 ? "\u0000" : String.fromCodePoint(symbol);
    states = states.length === 1 && states[0]!.edges.length === 1
      ? [states[0]!.edges[0]!.to]
      : [...new Set(states.flatMap(({ edges }) => edges.map(({ to }) => to)))];
  }
  return head;
}

/** The symbol that comes next in every word; undefined when there is none, or several. */
function onlySymbol(states: readonly State[]): number | undefined {
  let symbol: number | undefined;
  if (states.length > MAX_STATES) return undefined;
  for (const { accepts, edges } of states) {
    if (accepts) return undefined;
    for (const { set } of edges) {
      if (set.length !== 2 || set[0] !== set[1]) return undefined;
      symbol ??= set[0];
      if (set[0] !== symbol) return undefined;
    }
  }
  return symbol;
}
