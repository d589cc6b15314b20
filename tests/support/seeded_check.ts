/** All of fast-check; its `assert` tries as many cases as the run wants. */
import fc, { type IAsyncProperty, type IProperty, type Parameters } from "fast-check";
import { CASES, PARTS } from "./cases.ts";

export * from "fast-check";

/** One seed for laws that have none of their own. */
const SEED = 20261122;
/** The cases of a law that says no number. */
const RUNS = 100;

export function assert<T>(property: IAsyncProperty<T>, parameters?: Parameters<T>): Promise<void>;
export function assert<T>(property: IProperty<T>, parameters?: Parameters<T>): void;
/**
 * As fast-check's, in parts with seeds that follow each other: with `few` one part, and every part in `PARTS` runs with
 * seeds that follow each other.
 */
export function assert<T>(
  property: IAsyncProperty<T> | IProperty<T>,
  parameters: Parameters<T> = {},
): Promise<void> | void {
  const { numRuns = RUNS, seed = SEED } = parameters;
  const parts = CASES.amount === "few"
    ? [CASES.seed % PARTS]
    : Array.from({ length: PARTS }, (_part, index) => index);
  const told = parts.map((part) => ({
    ...parameters,
    numRuns: Math.ceil(numRuns / PARTS),
    seed: seed + part * 1_000_003,
  }));
  if (!property.isAsync()) {
    for (const each of told) fc.assert(property, each);
    return;
  }
  return told.reduce(
    (before, each) => before.then(() => fc.assert(property as IAsyncProperty<T>, each)),
    Promise.resolve(),
  );
}
