import type { Numbered } from "./instrument.ts";

/** The end of one mutant: noticed `by` a test or a time-out, live, or undecided for want of time. */
export interface Outcome {
  readonly mutant: Numbered;
  readonly by: string | null;
  readonly state: "noticed" | "live" | "undecided";
  /** Details of one that no test noticed: no test reaches it, or a bound came before every test had run. */
  readonly note: string;
}

/** The result of some tests of a mutant. */
export interface Trial {
  /** The test that noticed it; null: none. */
  readonly by: string | null;
  /** The bound that came before every test had run; null: none did. */
  readonly bound: "its own bound" | "the end of the run" | null;
}

/**
 * The end of a mutant after its trials. It is live when every test had run, and undecided when the run ended before that. Its own
 * bound makes it live all the same, for nothing may hide behind slow tests; but not in a sample, whose bounds are short.
 */
export function outcomeOf(mutant: Numbered, { by, bound }: Trial, isSample: boolean): Outcome {
  if (by !== null) return { mutant, by, state: "noticed", note: "" };
  const isLive = bound === null || bound === "its own bound" && !isSample;
  const note = bound === null ? "" : `${bound} came before every test had run`;
  return { mutant, by, state: isLive ? "live" : "undecided", note };
}

/** The end of a mutant for which there was no time. */
export function notTried(mutant: Numbered): Outcome {
  return { mutant, by: null, state: "undecided", note: "" };
}
