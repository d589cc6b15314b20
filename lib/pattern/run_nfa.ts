import type { Nfa, NfaStep } from "./path/path_nfa.ts";

/**
 * True if an automaton accepts the whole text. Follows all paths at once, so the cost is at most automaton length × text
 * length; caches the sets of steps that it has reached, so that a further text costs one look-up a character.
 */
export function runNfa(nfa: Nfa, text: string): boolean {
  if (nfa.length > MAX_CACHED_STEPS) return simulate(nfa, text);
  const cache = cacheOf(nfa);
  let state = cache.start;
  for (const char of text) {
    if (state.threads.length === 0) return false;
    const code = char.codePointAt(0)!;
    state = state.next.get(code) ?? cache.after(state, code);
  }
  return state.accepts;
}

/** The same without a cache, for automata with large sets of steps. */
function simulate(nfa: Nfa, text: string): boolean {
  let here = new Threads(nfa);
  let next = new Threads(nfa);
  here.add(0);
  for (const char of text) {
    if (here.size === 0) return false;
    const code = char.codePointAt(0)!;
    for (let index = 0; index < here.size; index++) {
      const at = here.at(index);
      if (takes(nfa[at]!, code)) next.add(at + 1);
    }
    [here, next] = [next, here];
    next.clear();
  }
  return here.accepts;
}

/** True if the step takes this code point. */
function takes(step: NfaStep, code: number): boolean {
  switch (step.kind) {
    case "char":
      return step.code === code;
    case "any":
      return true;
    case "inner":
      return code !== SLASH;
    case "set":
      return code !== SLASH &&
        step.negated !== step.ranges.some(([low, high]) => low <= code && code <= high);
    case "fork":
    case "accept":
      return false;
  }
}

const SLASH = 0x2f;
/** The most steps of an automaton that is cached. */
const MAX_CACHED_STEPS = 512;
/** The most transitions of one cache; then it starts anew. */
const MAX_TRANSITIONS = 4_096;

/** A set of steps. */
class Threads {
  /** The number of steps in the set that take a code point. */
  size = 0;
  /** True if accept is in the set. */
  accepts = false;
  readonly #nfa: Nfa;
  readonly #list: Int32Array;
  readonly #seen: Int32Array;
  readonly #waiting: number[] = [];
  #generation = 1;

  /** An empty set of steps of the automaton. */
  constructor(nfa: Nfa) {
    this.#nfa = nfa;
    this.#list = new Int32Array(nfa.length);
    this.#seen = new Int32Array(nfa.length);
  }

  /** The step at an index of the set. */
  at(index: number): number {
    return this.#list[index]!;
  }

  /** Adds a step; for a fork, adds its targets. */
  add(start: number): void {
    const waiting = this.#waiting;
    waiting.push(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      const step = this.#nfa[at]!;
      if (step.kind === "fork") { for (const next of step.to) waiting.push(next); }
      else if (step.kind === "accept") this.accepts = true;
      else this.#list[this.size++] = at;
    }
  }

  clear(): void {
    this.size = 0;
    this.accepts = false;
    this.#generation++;
  }
}

/** A state of the equivalent deterministic automaton: a set of steps. */
interface DfaState {
  /** Its steps that take a code point, in the order of their addition. */
  readonly threads: readonly number[];
  /** True if accept is among its steps. */
  readonly accepts: boolean;
  /** The next state by code point, for those that have occurred. */
  readonly next: Map<number, DfaState>;
}

const caches = new WeakMap<Nfa, DfaCache>();

function cacheOf(nfa: Nfa): DfaCache {
  let cache = caches.get(nfa);
  if (!cache) caches.set(nfa, cache = new DfaCache(nfa));
  return cache;
}

/** The states that runs of one automaton have reached. */
class DfaCache {
  readonly start: DfaState;
  readonly #nfa: Nfa;
  readonly #states = new Map<string, DfaState>();
  readonly #threads: Threads;
  #transitions = 0;

  constructor(nfa: Nfa) {
    this.#nfa = nfa;
    this.#threads = new Threads(nfa);
    this.start = this.#stateOf([0]);
  }

  /** The state behind a code point. */
  after(state: DfaState, code: number): DfaState {
    if (++this.#transitions > MAX_TRANSITIONS) this.#forget();
    const steps = state.threads.filter((at) => takes(this.#nfa[at]!, code));
    const next = this.#stateOf(steps.map((at) => at + 1));
    state.next.set(code, next);
    return next;
  }

  #forget(): void {
    this.#transitions = 0;
    for (const state of this.#states.values()) state.next.clear();
    this.#states.clear();
    this.start.next.clear();
  }

  #stateOf(steps: readonly number[]): DfaState {
    const set = this.#threads;
    set.clear();
    for (const step of steps) set.add(step);
    const threads = Array.from({ length: set.size }, (_, index) => set.at(index));
    const { accepts } = set;
    const key = `${threads.join()}${accepts ? "." : ""}`;
    let state = this.#states.get(key);
    if (!state) this.#states.set(key, state = { threads, accepts, next: new Map() });
    return state;
  }
}

/** The most pairs of steps that are compared; two larger automata count as overlapping. */
const MAX_PAIRS = 250_000;

/** True if some text is accepted by both automata. Exact, unless they are too large: then true. */
export function nfasOverlap(one: Nfa, other: Nfa): boolean {
  const width = other.length;
  if (one.length * width > MAX_PAIRS) return true;
  const seen = new Uint8Array(one.length * width);
  const waiting: number[] = [0];
  seen[0] = 1;
  const add = (left: number, right: number) => {
    const pair = left * width + right;
    if (seen[pair] === 1) return;
    seen[pair] = 1;
    waiting.push(pair);
  };
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = [Math.floor(pair / width), pair % width];
    const [a, b] = [one[left]!, other[right]!];
    if (a.kind === "fork") { for (const next of a.to) add(next, right); }
    else if (b.kind === "fork") { for (const next of b.to) add(left, next); }
    else if (a.kind === "accept" || b.kind === "accept") {
      if (a.kind === b.kind) return true;
    } else if (shareCode(a, b)) add(left + 1, right + 1);
  }
  return false;
}

type Taking = Exclude<NfaStep, { kind: "fork" | "accept" }>;

const LAST = 0x10ffff;

/** True if some code point is taken by both steps. */
function shareCode(a: Taking, b: Taking): boolean {
  return [...codesOf(a), ...codesOf(b)].some((code) => takes(a, code) && takes(b, code));
}

/** Code points of which both steps take one if they share any: the ends of ranges and their neighbours. */
function codesOf(step: Taking): readonly number[] {
  if (step.kind === "char") return [step.code];
  if (step.kind !== "set") return [0, SLASH, LAST];
  const ends = step.ranges.flatMap((
    [low, high],
  ) => [low - 1, low, low + 1, high - 1, high, high + 1]);
  return [0, LAST, SLASH - 1, SLASH + 1, ...ends.filter((code) => code >= 0 && code <= LAST)];
}
