import type { Word } from "./tree.ts";

/** For each character of ASCII: 1 if it is text wherever it stands in a word, 2 behind the first place only. */
export const PLAIN: Uint8Array = new Uint8Array(128);
mark("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-./:@%+,^", PLAIN, 1);
mark("=~", PLAIN, 2);

/** For each character of ASCII: the quotes in which it is text, 1 for single and 2 for double ones. */
export const QUOTED: Uint8Array = new Uint8Array(128).fill(3, 0x20, 0x7f);
mark("'", QUOTED, 2);
mark('"$`\\', QUOTED, 1);

function mark(chars: string, table: Uint8Array, value: number): void {
  for (let at = 0; at < chars.length; at++) table[chars.charCodeAt(at)] = value;
}

/** True for a character behind "[" by which shells may read the brackets in other ways. */
export function isMarked(code: number): boolean {
  return code === 0x21 || code === 0x5e || code === 0x5b;
}

/** The places for words, a power of two. */
const PLACES = 1_024;

/** The longest word that is kept, and the longest line of which one is: engines keep a line for a piece of it. */
const LONGEST = 32;
const LONGEST_LINE = 512;

/** The pieces that come before any is kept: few calls have more, so that a process for one call keeps no words. */
const FEW = 64;
let looks = 0;

/** The words that came more than once lately, each at the place of its hash, and the hashes that came last. */
let words: (Word | undefined)[] = [];
let seen = new Int32Array(0);

/**
 * The word of a piece of a line that is its own text. Names and options come again and again: one object for each saves its making,
 * and engines know the hash of its text. Most other words come once, and are not kept.
 */
export function knownWord(
  text: string,
  { start, end, hash }: { readonly start: number; readonly end: number; readonly hash: number },
): Word {
  if (looks < FEW) return firstWord(text.slice(start, end));
  const place = (hash ^ hash >>> 15) & PLACES - 1;
  const known = words[place];
  if (
    known !== undefined && known.raw.length === end - start && text.startsWith(known.raw, start)
  ) {
    return known;
  }
  const raw = text.slice(start, end);
  const word = wordOf(raw);
  if (seen[place] !== hash) seen[place] = hash;
  else if (end - start <= LONGEST && text.length <= LONGEST_LINE) words[place] = word;
  return word;
}

function firstWord(raw: string): Word {
  if (++looks === FEW) {
    words = new Array<Word | undefined>(PLACES).fill(undefined);
    seen = new Int32Array(PLACES);
  }
  return wordOf(raw);
}

function wordOf(raw: string): Word {
  return { raw, text: raw, shape: raw, splits: false };
}
