import type { Range } from "../path/path_glob.ts";

/** The last code point there is. */
const LAST = 0x10ffff;

const DIGITS: readonly Range[] = [[0x30, 0x39]];
const WORDS: readonly Range[] = [[0x30, 0x39], [0x41, 0x5a], [0x5f, 0x5f], [0x61, 0x7a]];
const SPACES: readonly Range[] = [
  [0x09, 0x0d],
  [0x20, 0x20],
  [0xa0, 0xa0],
  [0x1680, 0x1680],
  [0x2000, 0x200a],
  [0x2028, 0x2029],
  [0x202f, 0x202f],
  [0x205f, 0x205f],
  [0x3000, 0x3000],
  [0xfeff, 0xfeff],
];

const CLASSES: ReadonlyMap<string, readonly Range[]> = new Map([
  ["d", DIGITS],
  ["D", complement(DIGITS)],
  ["w", WORDS],
  ["W", complement(WORDS)],
  ["s", SPACES],
  ["S", complement(SPACES)],
]);

/** The code points that `\d`, `\w`, `\s` or their opposites stand for (ECMA-262); undefined for any other letter. */
export function classRanges(letter: string): readonly Range[] | undefined {
  return CLASSES.get(letter);
}

/** All ranges in one list, sorted and apart. */
export function union(ranges: readonly Range[]): readonly Range[] {
  const merged: [number, number][] = [];
  for (const [first, last] of ranges.toSorted((one, other) => one[0] - other[0])) {
    const before = merged.at(-1);
    if (before !== undefined && first <= before[1] + 1) before[1] = Math.max(before[1], last);
    else merged.push([first, last]);
  }
  return merged;
}

/** Every code point that is in none of the ranges. */
export function complement(ranges: readonly Range[]): readonly Range[] {
  const left: Range[] = [];
  let next = 0;
  for (const [first, last] of union(ranges)) {
    if (first > next) left.push([next, first - 1]);
    next = last + 1;
  }
  return next > LAST ? left : [...left, [next, LAST]];
}
