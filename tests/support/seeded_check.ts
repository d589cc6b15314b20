/** All of fast-check; its `assert` tries as many cases as the run wants, and counts how many reach an assertion. */
import checks from "node:assert/strict";
import fc, { type IAsyncProperty, type IProperty, type Parameters } from "fast-check";
import { CASES, PARTS } from "./cases.ts";

export * from "fast-check";

/** One seed for laws that have none of their own. */
const SEED = 20261122;
/** The cases of a law that says no number. */
const RUNS = 100;
/** Spreads the seeds of neighbouring runs. */
const SPREAD = 0x9e3779b1;

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
    seed: (seed + part * 1_000_003 + Math.imul(CASES.seed, SPREAD)) | 0,
  }));
  const reached = { tried: 0, asserted: 0 };
  const counted = counting(property, reached);
  const done = () => {
    const { tried, asserted } = reached;
    if (CASES.amount === "few" || tried === 0 || asserted >= tried * LEAST) return;
    throw new Error(`Cannot show this law: ${asserted} of ${tried} cases reach an assertion`);
  };
  if (!counted.isAsync()) {
    for (const each of told) fc.assert(counted, each);
    return done();
  }
  return told.reduce(
    (before, each) => before.then(() => fc.assert(counted as IAsyncProperty<T>, each)),
    Promise.resolve(),
  ).then(done);
}

/** The least share of cases that reach an assertion. */
const LEAST = 0.01;
/** The number of times that a function of `node:assert` was looked up, which is how often one was called. */
let looked = 0;
for (const [name, value] of Object.entries(checks)) {
  if (typeof value !== "function" || name === "AssertionError" || name === "strict") continue;
  Object.defineProperty(checks, name, {
    configurable: true,
    get() {
      looked++;
      return value;
    },
  });
}

/** The property, with its cases counted: one reaches an assertion if it looks one up, or returns a truth value. */
function counting<T, P extends IAsyncProperty<T> | IProperty<T>>(
  property: P,
  reached: { tried: number; asserted: number },
): P {
  const run = property.run.bind(property);
  const count = (before: number, result: unknown) => {
    reached.tried++;
    if (looked > before) reached.asserted++;
    return result;
  };
  const counted = (value: T) => {
    const before = looked;
    const result: unknown = run(value);
    return result instanceof Promise
      ? result.then((each) => count(before, each))
      : count(before, result);
  };
  return Object.assign(Object.create(property), { run: counted }) as P;
}
