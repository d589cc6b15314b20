/**
 * A set of symbols: code points, and below zero what stands in a word besides its text. Sorted pairs of first and last
 * symbol, both included, none touching the next.
 */
export type CharSet = readonly number[];

/** The last code point. */
export const LAST = 0x10ffff;

/** Every code point. */
export const ANY: CharSet = [0, LAST];

const NONE: CharSet = [];

const SINGLES: readonly CharSet[] = Array.from({ length: 128 }, (_, code) => [code, code]);

/** The set of one symbol; the same array for the same symbol of ASCII. */
export function only(symbol: number): CharSet {
  return SINGLES[symbol] ?? [symbol, symbol];
}

/** The set of ranges in any order, which may overlap; ranges that end before they begin are left out. */
export function charSet(ranges: readonly (readonly [number, number])[]): CharSet {
  const sorted = ranges.filter(([low, high]) => low <= high).toSorted((a, b) => a[0] - b[0]);
  const set: number[] = [];
  for (const [low, high] of sorted) {
    const last = set.at(-1);
    if (last !== undefined && low <= last + 1) set[set.length - 1] = Math.max(last, high);
    else set.push(low, high);
  }
  return set;
}

/** The set of the characters of a text. */
export function charsOf(text: string): CharSet {
  return charSet([...text].map((char) => [char.codePointAt(0)!, char.codePointAt(0)!]));
}

/** The code points that are not in the set. */
export function complement(set: CharSet): CharSet {
  const rest: (readonly [number, number])[] = [];
  let next = 0;
  for (let at = 0; at < set.length; at += 2) {
    rest.push([next, Math.min(set[at]! - 1, LAST)]);
    next = Math.max(next, set[at + 1]! + 1);
  }
  rest.push([next, LAST]);
  return charSet(rest);
}

/** What is in one or the other. */
export function union(a: CharSet, b: CharSet): CharSet {
  return charSet([...pairs(a), ...pairs(b)]);
}

/** What is in both. */
export function intersection(a: CharSet, b: CharSet): CharSet {
  if (a === b) return a;
  if (a.length === 2 && a[0] === a[1]) return has(b, a[0]!) ? a : NONE;
  if (b.length === 2 && b[0] === b[1]) return has(a, b[0]!) ? b : NONE;
  const both: number[] = [];
  for (let i = 0, j = 0; i < a.length && j < b.length;) {
    const low = Math.max(a[i]!, b[j]!);
    const high = Math.min(a[i + 1]!, b[j + 1]!);
    if (low <= high) both.push(low, high);
    if (a[i + 1]! < b[j + 1]!) i += 2;
    else j += 2;
  }
  return both;
}

/** Whether the symbol is in the set. */
export function has(set: CharSet, symbol: number): boolean {
  for (let at = 0; at < set.length; at += 2) {
    if (symbol < set[at]!) return false;
    if (symbol <= set[at + 1]!) return true;
  }
  return false;
}

/** The pairs of a set. */
export function pairs(set: CharSet): readonly (readonly [number, number])[] {
  return Array.from({ length: set.length / 2 }, (_, at) => [set[2 * at]!, set[2 * at + 1]!]);
}
