import { groupBy } from "../group_by.ts";
import type { State } from "./state.ts";

/** The length of the beginnings that languages are compared by, in UTF-16 code units. */
const MAX_HEAD = 256;

/** The most states in which a language is followed at once. */
const MAX_STATES = 16;

/** An index of languages by a text that all their words begin or end with. */
export class HeadIndex {
  readonly #byHead: ReadonlyMap<string, readonly number[]>;
  readonly #sorted: readonly (readonly [head: string, place: number])[];

  /** Two languages share no word if neither's text begins with the other's. */
  constructor(heads: readonly string[]) {
    this.#byHead = groupBy(heads.keys(), (place) => heads[place]!);
    this.#sorted = heads.map((head, place) => [head, place] as const)
      .sort(([a], [b]) => a < b ? -1 : a > b ? 1 : 0);
  }

  /** The places of all that may share a word with one of that text, in order. */
  near(head: string): readonly number[] {
    const found: number[] = [];
    for (let length = 0; length < head.length; length++) {
      const places = this.#byHead.get(head.slice(0, length));
      if (places) { for (const each of places) found.push(each); }
    }
    for (let at = this.#lowerBound(head); at < this.#sorted.length; at++) {
      const [other, each] = this.#sorted[at]!;
      if (!other.startsWith(head)) break;
      found.push(each);
    }
    return found.sort((a, b) => a - b);
  }

  #lowerBound(head: string): number {
    let low = 0;
    let high = this.#sorted.length;
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#sorted[middle]![0] < head) low = middle + 1;
      else high = middle;
    }
    return low;
  }
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
