import { type Avoided, AvoidedLists } from "./avoided.ts";
import { type Edge, pairKey, type State } from "./state.ts";
import { type CharSet, has, intersection, LAST, rankOf } from "./char_set.ts";

/** A search for words. */
export interface WordQuery {
  /** The word must be in each of these languages; at least one. */
  readonly all: readonly State[];
  /** And in none of these. */
  readonly none: readonly State[];
}

/** The cost limit of one or more searches. */
export interface Budget {
  /** The number of edges that may still be followed, all searches together; counted down. */
  left: number;
}

/** A word as its symbols; `spent` if the budget ran out first. */
export type FoundWord = readonly number[] | "spent";

/** A place of a search: one state of each language that must fit, and every state of those that must not. */
interface Place {
  readonly states: readonly State[];
  readonly not: Avoided;
  readonly symbol: number;
  readonly before: Place | undefined;
}

/**
 * Yields words that fit, shortest first, then the most readable first. Ends when every further word would go the same way
 * through the automata; so if it yields nothing, there is no word. Skips a place if another one with the same
 * states had fewer to avoid: that one finds the same words.
 */
export function* findWords(query: WordQuery, budget: Budget): Generator<FoundWord> {
  const seen: Seen = new Map();
  const not = new AvoidedLists().of([...query.none]);
  const start = { states: query.all, not, symbol: 0, before: undefined };
  const effort = query.all[0]!.effort;
  let layer: Place[] = isOpen(start, { seen, budget }) ? [start] : [];
  while (layer.length > 0) {
    const next: Place[] = [];
    for (const place of layer) {
      if (budget.left < 0) return yield "spent";
      if (isEnd(place)) yield wordOf(place);
      const before = effort.work;
      for (const step of stepsFrom(place, budget)) {
        if (isOpen(step, { seen, budget })) next.push(step);
      }
      budget.left -= effort.work - before;
    }
    layer = next;
  }
  // The last steps may have been cut short.
  if (budget.left < 0) yield "spent";
}

/** The first word that fits; undefined when there is none. */
export function findWord(query: WordQuery, budget: Budget): FoundWord | undefined {
  const found = findWords(query, budget).next();
  return found.done ? undefined : found.value;
}

function isEnd({ states, not }: Place): boolean {
  if (not.accepts) return false;
  for (const { accepts } of states) if (!accepts) return false;
  return true;
}

/** By the states that must fit: the states to avoid when they were met. */
type Seen = Map<number | string, Avoided[]>;

/** True if the place may lead to a word that no earlier place leads to. Remembers the place. */
function isOpen(
  { states, not }: Place,
  { seen, budget }: { seen: Seen; budget: Budget },
): boolean {
  if (not.isOpen ? not.hasAny(states) : isClosed(states, not)) return false;
  const key = keyOf(states);
  const known = seen.get(key);
  budget.left -= 4 + not.states.length;
  if (!known) {
    seen.set(key, [not]);
    return true;
  }
  for (const fewer of known) {
    budget.left -= 1 + (fewer.states.length >> 2);
    if (fewer === not || isSubset(fewer.states, not.states)) return false;
  }
  known.push(not);
  return true;
}

/** True if every word from these states on is avoided by one of the others. */
function isClosed(states: readonly State[], not: Avoided): boolean {
  let isOpen = true;
  for (const state of not.states) {
    if (states.includes(state) || isAll(state, -1)) return true;
    if (!isAll(state, 0)) continue;
    isOpen = false;
    if (states.some(takesTextOnly)) return true;
  }
  not.isOpen = isOpen;
  return false;
}

/** Three states below these numbers have a number of 53 bits. */
const FIRST_STATES = 0x800;
const OTHER_STATES = 0x200000;

/** A number for up to three states, which is found faster than a text. */
function keyOf(states: readonly State[]): number | string {
  if (states.length === 1) return states[0]!.id;
  if (states.length === 2) return pairKey(states[0]!, states[1]!);
  if (states.length > 3) return idsOf(states);
  const [{ id: a }, { id: b }, { id: c }] = states as [State, State, State];
  return a < FIRST_STATES && b < OTHER_STATES && c < OTHER_STATES
    ? (a * OTHER_STATES + b) * OTHER_STATES + c
    : idsOf(states);
}

/** True if the state accepts every text (`low` 0), or every word (-1). */
function isAll(state: State, low: 0 | -1): boolean {
  if (!state.accepts || state.edges.length !== 1) return false;
  const [{ set, to }] = state.edges as [Edge];
  return to === state && set.length === 2 && set[1] === LAST && set[0]! <= low;
}

/** True if no mark comes next; in the last section, the only one that is checked, none comes at all then. */
function takesTextOnly({ edges }: State): boolean {
  return edges.every(({ set }) => set[0]! >= 0);
}

function isSubset(few: readonly State[], many: readonly State[]): boolean {
  if (few.length > many.length) return false;
  let at = 0;
  for (const state of few) {
    while (at < many.length && many[at]!.id < state.id) at++;
    if (many[at] !== state) return false;
  }
  return true;
}

interface Move {
  readonly set: CharSet;
  readonly states: readonly State[];
}

/** The places one symbol further, the most readable symbol first; one for each way that the automata tell apart. */
function stepsFrom(place: Place, budget: Budget): readonly Place[] {
  const symbol = onlySymbol(place.states);
  if (symbol !== undefined) return stepsBy(symbol, { place, budget });
  const moves = movesOf(place.states, budget);
  const found: Place[] = [];
  const places = new Map<string, number>();
  const avoided = place.not.edges.length;
  for (const { set, states } of moves) {
    const tuple = moves.length === 1 ? "" : idsOf(states);
    budget.left -= 1 + avoided;
    const { costs, ways } = place.not.cuts(set);
    for (const cost of costs) if ((budget.left -= cost) < 0) return [];
    for (const { symbol, not } of ways) {
      const key = tuple + not.number;
      const at = places.get(key);
      if (at === undefined) places.set(key, found.length);
      else if (rankOf(found[at]!.symbol) <= rankOf(symbol)) continue;
      found[at ?? found.length] = { states, not, symbol, before: place };
    }
  }
  return found.sort((a, b) => rankOf(a.symbol) - rankOf(b.symbol));
}

/** The symbol that must come next, if one of the languages leaves no choice. */
function onlySymbol(states: readonly State[]): number | undefined {
  for (const { edges } of states) {
    if (edges.length !== 1) continue;
    const { set } = edges[0]!;
    if (set.length === 2 && set[0] === set[1]) return set[0];
  }
  return undefined;
}

/** The places behind one symbol. */
function stepsBy(
  symbol: number,
  { place, budget }: { place: Place; budget: Budget },
): readonly Place[] {
  const states = oneEach(symbol, { place, budget });
  if (states !== undefined) {
    const not = place.not.after(symbol);
    budget.left -= place.not.edges.length + 1 + not.states.length;
    return [{ states, not, symbol, before: place }];
  }
  let tuples: State[][] = [[]];
  for (const { edges } of place.states) {
    budget.left -= edges.length;
    const next: State[] = [];
    for (const { set, to } of edges) if (has(set, symbol)) next.push(to);
    if (next.length === 0) return [];
    tuples = tuples.flatMap((tuple) => next.map((to) => [...tuple, to]));
  }
  const not = place.not.after(symbol);
  budget.left -= place.not.edges.length + tuples.length + not.states.length;
  return tuples.map((states) => ({ states, not, symbol, before: place }));
}

/** The states behind a symbol where each language has exactly one, as most have; otherwise undefined, and the budget stays as it is. */
function oneEach(
  symbol: number,
  { place, budget }: { place: Place; budget: Budget },
): readonly State[] | undefined {
  const states = place.states.slice();
  let cost = 0;
  for (let at = 0; at < states.length; at++) {
    const { edges } = states[at]!;
    cost += edges.length;
    let only: State | undefined;
    for (const { set, to } of edges) {
      if (!has(set, symbol)) continue;
      if (only !== undefined) return undefined;
      only = to;
    }
    if (only === undefined) return undefined;
    states[at] = only;
  }
  budget.left -= cost;
  return states;
}

/** Every step that all languages can take together, beginning with the one that has the fewest edges. */
function movesOf(states: readonly State[], budget: Budget): readonly Move[] {
  const order = states.map((_, at) => at).sort((a, b) =>
    states[a]!.edges.length - states[b]!.edges.length
  );
  let moves: readonly Move[] = [{ set: WHOLE, states }];
  for (const at of order) {
    const next: Move[] = [];
    budget.left -= moves.length * states[at]!.edges.length;
    if (budget.left < 0) return [];
    for (const move of moves) {
      for (const { set, to } of states[at]!.edges) {
        const both = move.set === WHOLE ? set : intersection(move.set, set);
        if (both.length > 0) next.push({ set: both, states: move.states.with(at, to) });
      }
    }
    moves = next;
  }
  return moves;
}

function idsOf(states: readonly State[]): string {
  let key = "";
  for (const { id } of states) key += `${id},`;
  return key;
}

const WHOLE: CharSet = [-LAST, LAST];

function wordOf(place: Place): readonly number[] {
  const word: number[] = [];
  for (let at: Place | undefined = place; at?.before; at = at.before) word.push(at.symbol);
  return word.reverse();
}
