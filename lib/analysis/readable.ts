import type { CharSet } from "./automata/char_set.ts";

/** Characters in the order in which a witness takes them. */
const PREFERRED = [
  ..."abcdefghijklmnopqrstuvwxyz0123456789-_./ ABCDEFGHIJKLMNOPQRSTUVWXYZ:=+,@%~!#$&'()*;<>?[]{}|\"\\^`",
].map((char) => char.codePointAt(0)!);

const RANK: ReadonlyMap<number, number> = new Map(PREFERRED.map((code, rank) => [code, rank]));

/** How readable a symbol is: the less the better. What is no character stands behind all that are. */
export function rankOf(symbol: number): number {
  if (symbol < 0) return -symbol * 0x200000;
  const rank = RANK.get(symbol);
  if (rank !== undefined) return rank;
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
