/**
 * The cases that a test tries. One variable says how many and which, `CALIBAN_CASES`: `few` (when it is not set), `some` or `all`,
 * and behind a colon the seed of the samples, `few:20779`; that of the day when left out. Under Deno `tests/run.ts` hands it
 * on as an argument, `deno test … -- --cases=few:20779`, for most tests run without permission to read a variable.
 */

/** `few` for the short loop, `some` for CI: laws in full, samples of what starts processes; `all` is everything. */
export type Amount = "few" | "some" | "all";

/** The variable's text, read. */
export interface Cases {
  /** Their number. */
  readonly amount: Amount;
  /** The choice: another sample for each number. */
  readonly seed: number;
}

/** A law's cases are tried in this many parts, each with its own seed; `few` is one of them. */
export const PARTS = 10;
const NAME = "CALIBAN_CASES";
const OPTION = "--cases=";
const DAY = 24 * 60 * 60 * 1000;

/** Reads the variable's text. Throws Error when it is none. */
export function parseCases(text: string): Cases {
  const [, amount = "few", seed] = /^(few|some|all)?(?::(\d{1,9}))?$/.exec(text) ?? [];
  if (amount === "few" && !/^(few)?(:\d{1,9})?$/.test(text)) {
    throw new Error(`Cannot read ${NAME}="${text}": it is few, some or all, and :SEED if you like`);
  }
  return {
    amount: amount as Amount,
    seed: seed === undefined ? Math.floor(Date.now() / DAY) : Number(seed),
  };
}

/** The variable's text again, with the seed. */
export function casesText({ amount, seed }: Cases): string {
  return `${amount}:${seed}`;
}

/** The cases of this run. */
export const CASES: Cases = parseCases(given());

function given(): string {
  const { process } = globalThis as {
    process?: { readonly env: Readonly<Record<string, string | undefined>> };
  };
  return "Deno" in globalThis ? argument(OPTION) : process?.env[NAME] ?? "";
}

/** The value of an argument that `tests/run.ts` hands on; empty without it. */
function argument(option: string): string {
  const { Deno } = globalThis as { Deno?: { readonly args: readonly string[] } };
  return Deno?.args.find((word) => word.startsWith(option))?.slice(option.length) ?? "";
}

/** The cases of a list that this process tries where `tests/run.ts` divides them among some; else all. */
export function ofLane<T>(all: readonly T[]): readonly T[] {
  const [lane = 0, lanes = 1] = argument("--lane=").split("/").filter(Boolean).map(Number);
  return all.filter((_, index) => index % lanes === lane);
}

/** The number of a law's cases that are tried: all, or with `few` a tenth. */
export function cases(full: number): number {
  return CASES.amount === "few" ? Math.ceil(full / PARTS) : full;
}

/** As `cases`, where a case starts programs or writes files: with `some` a third. */
export function slowCases(full: number): number {
  return CASES.amount === "some" ? Math.ceil(full / 3) : cases(full);
}

/** The runs of a law whose cases take long, for fast-check: a third, of which it tries a tenth with `few`. */
export function slowRuns(full: number): number {
  return CASES.amount === "all" ? full : Math.ceil(full / 3);
}

/** A number that a count must exceed, lest a law was hardly tried; with `few` it may be 0. */
export function enough(full: number): number {
  return CASES.amount === "few" ? Math.floor(full / PARTS / 5) - 1 : full;
}

/** All of a list, or with `few` this many of it, others each day; with `some` all too, if no number is said. */
export function sample<T>(all: readonly T[], few: number, some = Infinity): readonly T[] {
  const count = CASES.amount === "few" ? few : CASES.amount === "some" ? some : Infinity;
  if (count >= all.length) return all;
  const start = CASES.seed * count % all.length;
  return [...all, ...all].slice(start, start + count);
}

/** True when everything that can come up must have; with `few` it need not. */
export const isThorough = CASES.amount !== "few";
