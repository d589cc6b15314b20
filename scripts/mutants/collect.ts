/** Stands in for `node:test` in the copied tree: tests are collected, to be run by name and more than once. */

/** A test of a file. */
export interface Collected {
  /** The file, from the root of the repository. */
  readonly file: string;
  /** The file and the test's name, with a number where a name comes twice. */
  readonly key: string;
  /** The test. */
  readonly run: () => unknown;
}

/** Every test of the files that were loaded. */
export const collected = new Map<string, Collected>();

let current = "";

/** The file whose tests are collected from now on. */
export function collectInto(file: string): void {
  current = file;
}

/** As `test` of `node:test`. */
export function test(
  name: string,
  second: (() => unknown) | { readonly skip?: unknown },
  third?: () => unknown,
): void {
  const run = typeof second === "function" ? second : third;
  if (run === undefined || (typeof second === "object" && second.skip)) return;
  let key = `${current}|${name}`;
  for (let count = 2; collected.has(key); count += 1) key = `${current}|${name}#${count}`;
  collected.set(key, { file: current, key, run });
}

/** Nothing is done behind the last test: a process of a mutant ends with it. */
export function after(): void {}
