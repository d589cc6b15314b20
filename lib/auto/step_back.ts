import type { OpinionDecision } from "./opinion.ts";

/** How many denials in a row, and in all, make auto mode step back. */
export const DENIALS = { inARow: 3, inAll: 20 } as const;

/** Counts denials: an agent that is denied again and again needs a person, not a model. */
export class StepBack {
  #inARow = 0;
  #inAll = 0;

  /** Why everything asks now, in one sentence; undefined while it does not. */
  get reason(): string | undefined {
    const many = this.#inAll >= DENIALS.inAll ? this.#inAll : undefined;
    if (many === undefined && this.#inARow < DENIALS.inARow) return undefined;
    const denials = many === undefined ? `${this.#inARow} denials in a row` : `${many} denials`;
    return `auto mode stepped back after ${denials}, until a person approves a call`;
  }

  /** Counts a decision. */
  count(decision: OpinionDecision): void {
    if (decision === "allow") this.#inARow = 0;
    else {
      this.#inARow++;
      this.#inAll++;
    }
  }

  /** A person approved a call: the count begins anew. */
  approved(): void {
    this.#inARow = 0;
    this.#inAll = 0;
  }
}
