import type { Program, Step } from "./path_program.ts";

/**
 * Whether the whole text takes the program from its start to accept. All ways are followed at once, so the cost is at
 * most program length × text length, whatever the program; sets of steps that were reached before are remembered, which
 * makes a further text cost one look-up a character.
 */
export function runProgram(program: Program, text: string): boolean {
  const reached = reachedBy(program);
  let place = reached.start;
  for (const char of text) {
    if (place.threads.length === 0) return false;
    const code = char.codePointAt(0)!;
    place = place.next.get(code) ?? reached.after(place, code);
  }
  return place.accepts;
}

/** Whether the step takes this code point. */
export function takes(step: Step, code: number): boolean {
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
/** How many ways from place to place one program remembers; then it begins anew. */
const MAX_WAYS = 4_096;

/** Where a run can be: a set of steps. */
interface Place {
  /** Its steps that take a code point, ascending. */
  readonly threads: readonly number[];
  /** Whether accept is among its steps. */
  readonly accepts: boolean;
  /** Where each code point leads that came by so far. */
  readonly next: Map<number, Place>;
}

const known = new WeakMap<Program, Reached>();

function reachedBy(program: Program): Reached {
  let reached = known.get(program);
  if (!reached) known.set(program, reached = new Reached(program));
  return reached;
}

/** The places that runs of one program have reached. */
class Reached {
  readonly start: Place;
  readonly #program: Program;
  readonly #places = new Map<string, Place>();
  readonly #seen: Int32Array;
  #round = 0;
  #ways = 0;

  constructor(program: Program) {
    this.#program = program;
    this.#seen = new Int32Array(program.length);
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

  /** The place of these steps, with the steps behind a fork instead of it. */
  #placeOf(steps: readonly number[]): Place {
    const round = ++this.#round;
    const waiting = [...steps];
    const threads: number[] = [];
    let accepts = false;
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === round) continue;
      this.#seen[at] = round;
      const step = this.#program[at]!;
      if (step.kind === "fork") waiting.push(...step.to);
      else if (step.kind === "accept") accepts = true;
      else threads.push(at);
    }
    const key = threads.sort((a, b) => a - b).join() + (accepts ? "." : "");
    let place = this.#places.get(key);
    if (!place) this.#places.set(key, place = { threads, accepts, next: new Map() });
    return place;
  }
}
