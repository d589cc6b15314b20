import type { Program, Step } from "./path_program.ts";

/**
 * Whether the whole text takes the program from its start to accept. All ways are followed at once, so the cost is at
 * most program length × text length, whatever the program.
 */
export function runProgram(program: Program, text: string): boolean {
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

/** The set of steps that a run is at. */
export class Threads {
  /** How many steps that take a code point are in the set. */
  size = 0;
  /** Whether accept is in the set. */
  accepts = false;
  readonly #program: Program;
  readonly #list: Int32Array;
  readonly #seen: Int32Array;
  #generation = 1;

  /** An empty set over the program's steps. */
  constructor(program: Program) {
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
    const waiting = [start];
    for (let at = waiting.pop(); at !== undefined; at = waiting.pop()) {
      if (this.#seen[at] === this.#generation) continue;
      this.#seen[at] = this.#generation;
      const step = this.#program[at]!;
      if (step.kind === "fork") waiting.push(...step.to);
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
