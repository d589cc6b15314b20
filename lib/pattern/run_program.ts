import type { Nfa, NfaStep } from "./path/path_program.ts";

/**
 * Whether the whole text takes the program from its start to accept. All ways are followed at once, so the cost is at
 * most program length × text length, whatever the program; sets of steps that were reached before are remembered, which
 * makes a further text cost one look-up a character.
 */
export function runNfa(program: Nfa, text: string): boolean {
  if (program.length > LONG) return followed(program, text);
  const reached = reachedBy(program);
  let place = reached.start;
  for (const char of text) {
    if (place.threads.length === 0) return false;
    const code = char.codePointAt(0)!;
    place = place.next.get(code) ?? reached.after(place, code);
  }
  return place.accepts;
}

/** The same without a memory, for programs whose sets of steps are too large to be worth remembering. */
function followed(program: Nfa, text: string): boolean {
  let here = new Threads(program);
  let next = new Threads(program);
  here.add(0);
  for (const char of text) {
    if (here.size === 0) return false;
    const code = char.codePointAt(0)!;
    for (let index = 0; index < here.size; index++) {
      const at = here.at(index);
      if (takes(program[at]!, code)) next.add(at + 1);
    }
    [here, next] = [next, here];
    next.clear();
  }
  return here.accepts;
}

/** Whether the step takes this code point. */
export function takes(step: NfaStep, code: number): boolean {
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
/** Programs with more steps than this are followed without a memory. */
const LONG = 512;
/** How many ways from place to place one program remembers; then it begins anew. */
const MAX_WAYS = 4_096;

/** The set of steps that a run is at. */
export class Threads {
  /** How many steps that take a code point are in the set. */
  size = 0;
  /** Whether accept is in the set. */
  accepts = false;
  readonly #program: Nfa;
  readonly #list: Int32Array;
  readonly #seen: Int32Array;
  readonly #waiting: number[] = [];
  #generation = 1;

  /** An empty set over the program's steps. */
  constructor(program: Nfa) {
    this.#program = program;
    this.#list = new Int32Array(program.length);
    this.#seen = new Int32Array(program.length);
  }

  /** The step at this place of the set. */
  at(index: number): number {
    return this.#list[index]!;
  }

  /** Adds a step, and instead of a fork the steps behind it. */
  add(start: number): void {
    const waiting = this.#waiting;
    waiting.push(start);
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      const step = this.#program[at]!;
      if (step.kind === "fork") { for (const next of step.to) waiting.push(next); }
      else if (step.kind === "accept") this.accepts = true;
      else this.#list[this.size++] = at;
    }
  }

  /** Empties the set. */
  clear(): void {
    this.size = 0;
    this.accepts = false;
    this.#generation++;
  }
}

/** Where a run can be: a set of steps. */
interface Place {
  /** Its steps that take a code point, in the order in which they were reached. */
  readonly threads: readonly number[];
  /** Whether accept is among its steps. */
  readonly accepts: boolean;
  /** Where each code point leads that came by so far. */
  readonly next: Map<number, Place>;
}

const known = new WeakMap<Nfa, Reached>();

function reachedBy(program: Nfa): Reached {
  let reached = known.get(program);
  if (!reached) known.set(program, reached = new Reached(program));
  return reached;
}

/** The places that runs of one program have reached. */
class Reached {
  readonly start: Place;
  readonly #program: Nfa;
  readonly #places = new Map<string, Place>();
  readonly #threads: Threads;
  #ways = 0;

  constructor(program: Nfa) {
    this.#program = program;
    this.#threads = new Threads(program);
    this.start = this.#placeOf([0]);
  }

  /** Where a code point leads from a place. */
  after(place: Place, code: number): Place {
    if (++this.#ways > MAX_WAYS) this.#forget();
    const steps = place.threads.filter((at) => takes(this.#program[at]!, code));
    const next = this.#placeOf(steps.map((at) => at + 1));
    place.next.set(code, next);
    return next;
  }

  #forget(): void {
    this.#ways = 0;
    for (const place of this.#places.values()) place.next.clear();
    this.#places.clear();
    this.start.next.clear();
  }

  #placeOf(steps: readonly number[]): Place {
    const reached = this.#threads;
    reached.clear();
    for (const step of steps) reached.add(step);
    const threads = Array.from({ length: reached.size }, (_, index) => reached.at(index));
    const { accepts } = reached;
    const key = `${threads.join()}${accepts ? "." : ""}`;
    let place = this.#places.get(key);
    if (!place) this.#places.set(key, place = { threads, accepts, next: new Map() });
    return place;
  }
}
