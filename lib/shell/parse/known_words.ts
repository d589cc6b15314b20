import type { Word } from "./tree.ts";

/** The places for words, a power of two. */
const PLACES = 1_024;

/** The longest word that is kept, and the longest line of which one is: engines keep a line for a piece of it. */
const LONGEST = 32;
const LONGEST_LINE = 512;

/** The words that came more than once lately, each at the place of its hash, and the hashes that came last. */
const words: (Word | undefined)[] = Array.from({ length: PLACES }, () => undefined);
const seen = new Int32Array(PLACES);

/**
 * The word of a piece of a line that is its own text. Names and options come again and again: one object for each saves its making,
 * and engines know the hash of its text. Most other words come once, and are not kept.
 */
export function knownWord(
  text: string,
  { start, end, hash }: { readonly start: number; readonly end: number; readonly hash: number },
): Word {
  const place = (hash ^ hash >>> 15) & PLACES - 1;
  const known = words[place];
  if (
    known !== undefined && known.raw.length === end - start && text.startsWith(known.raw, start)
  ) {
    return known;
  }
  const raw = text.slice(start, end);
  const word: Word = { raw, text: raw, shape: raw, splits: false };
  if (seen[place] !== hash) seen[place] = hash;
  else if (end - start <= LONGEST && text.length <= LONGEST_LINE) words[place] = word;
  return word;
}
