/**
 * A set of symbols: code points, and marks below zero. Sorted pairs of first and last
 * symbol, both included, none touching the next.
 */
export type CharSet = readonly number[];

/** The last code point. */
export const LAST = 0x10ffff;

/** Every code point. */
export const ANY: CharSet = [0, LAST];

const NONE: CharSet = [];

/** The sets of one symbol of ASCII, by that symbol. */
export const SINGLES: readonly CharSet[] = Array.from({ length: 128 }, (_, code) => [code, code]);

/** The sets of one mark, by the number of its symbol without the sign. */
const MARKS: readonly CharSet[] = Array.from({ length: 9 }, (_, mark) => [-mark, -mark]);

/** The set of one symbol; the same array for the same symbol of ASCII, and for the same mark. */
export function only(symbol: number): CharSet {
  return (symbol < 0 ? MARKS[-symbol] : SINGLES[symbol]) ?? [symbol, symbol];
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

/** The symbols that are in one set or the other. */
export function union(a: CharSet, b: CharSet): CharSet {
  return charSet([...pairs(a), ...pairs(b)]);
}

/** The symbols that are in both sets. */
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

/** True if the symbol is in the set. */
export function has(set: CharSet, symbol: number): boolean {
  if (set.length === 2) return set[0]! <= symbol && symbol <= set[1]!;
  let low = 0;
  let high = set.length >> 1;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (set[2 * middle + 1]! < symbol) low = middle + 1;
    else high = middle;
  }
  return 2 * low < set.length && set[2 * low]! <= symbol;
}

/** The pairs of a set. */
export function pairs(set: CharSet): readonly (readonly [number, number])[] {
  return Array.from({ length: set.length / 2 }, (_, at) => [set[2 * at]!, set[2 * at + 1]!]);
}

/** Characters in the order in which a witness takes them. */
const PREFERRED = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789-_./ ABCDEFGHIJKLMNOPQRSTUVWXYZ:=+,@%~!#$&'()*;<>?[]{}|\"\\^`",
].map((char) => char.codePointAt(0)!);

/** The ranks of ASCII. */
const RANKS: readonly number[] = Array.from({ length: 128 }, (_, code) => {
  const rank = PREFERRED.indexOf(code);
  return rank < 0 ? rankAmongOthers(code) : rank;
});

/** The readability of a symbol, the lower the better; marks rank behind all characters. */
export function rankOf(symbol: number): number {
  if (symbol < 0) return -symbol * 0x200000;
  return symbol < 128 ? RANKS[symbol]! : rankAmongOthers(symbol);
}

function rankAmongOthers(symbol: number): number {
  if (symbol < 0x20 || symbol >= 0x7f && symbol < 0xa1) return 0x110000 + symbol;
  return 0x100 + symbol;
}

/** The most readable symbol from `low` to `high`. */
export function mostReadable(low: number, high: number): number {
  if (low === high) return low;
  for (const code of PREFERRED) if (low <= code && code <= high) return code;
  if (high >= 0xa1) return Math.max(low, 0xa1);
  if (high < 0) return high;
  return Math.max(low, 0);
}

/** The most readable symbol of a set that is not empty. */
export function mostReadableOf(set: CharSet): number {
  let best = mostReadable(set[0]!, set[1]!);
  for (let at = 2; at < set.length; at += 2) {
    const other = mostReadable(set[at]!, set[at + 1]!);
    if (rankOf(other) < rankOf(best)) best = other;
  }
  return best;
}

/** Represents a first argument or field that cannot be compared: an object, null, a malformed text. */
export const UNCLEAR = -1;
/** Represents a missing field. */
export const MISSING = -2;
/** Ends every argument of a call but the last. */
export const MARK: CharSet = only(-3);
