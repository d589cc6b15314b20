import type { ToolRule } from "../compiled_policy.ts";

/** The rules of one key. */
export interface KeyEntry {
  /** Their places, in order; none for the first word of longer keys that is none itself. */
  readonly places: number[];
  /** The length of the longest key of words that begins with this one. */
  longest: number;
  /** The same rules, and those that have no key, in order; found when they are first asked for. */
  merged: readonly ToolRule[] | undefined;
}

/** An entry that has no key. */
export function entryOf(places: readonly number[]): KeyEntry {
  return { places: places as number[], longest: 0, merged: undefined };
}

/**
 * Entries by the hash of their key. Most look-ups find none, and a large map is mostly outside of the processor's cache, so a bit of a
 * small field is looked at first.
 */
export class KeyTable {
  readonly #entries = new Map<number, KeyEntry>();
  /** Bits that are set for hashes with an entry; their number is a power of two. */
  readonly #bits: Int32Array;

  /** For as many keys, or more or fewer. */
  constructor(count = 0) {
    this.#bits = new Int32Array(1 << 32 - Math.clz32(count >> 2 | 3));
  }

  get size(): number {
    return this.#entries.size;
  }

  get(hash: number): KeyEntry | undefined {
    const bits = this.#bits;
    const word = bits[slotOf(hash) & (bits.length - 1)]!;
    return (word & 1 << (hash & 31)) === 0 ? undefined : this.#entries.get(hash);
  }

  /** Adds the place of a rule whose key has this hash; places come in order. */
  add(hash: number, place: number): void {
    const known = this.#entries.get(hash);
    if (known === undefined) this.#set(hash, entryOf([place]));
    else known.places.push(place);
  }

  /** Notes that a key of words with this length begins with the word of this hash. */
  lengthen(hash: number, length: number): void {
    const entry = this.#entries.get(hash) ?? this.#set(hash, entryOf([]));
    if (entry.longest < length) entry.longest = length;
  }

  #set(hash: number, entry: KeyEntry): KeyEntry {
    this.#entries.set(hash, entry);
    const bits = this.#bits;
    bits[slotOf(hash) & (bits.length - 1)]! |= 1 << (hash & 31);
    return entry;
  }
}

function slotOf(hash: number): number {
  return hash >>> 5 ^ hash >>> 20;
}

/** The entries that a call has keys of, each once; mostly one at most. */
export class FoundKeys {
  first: KeyEntry | undefined = undefined;
  more: KeyEntry[] | undefined = undefined;

  add(entry: KeyEntry | undefined): void {
    if (entry === undefined || entry.places.length === 0 || entry === this.first) return;
    if (this.first === undefined) this.first = entry;
    else if (this.more === undefined) this.more = [entry];
    else if (!this.more.includes(entry)) this.more.push(entry);
  }

  addAll({ first, more }: FoundKeys): void {
    this.add(first);
    if (more !== undefined) { for (const entry of more) this.add(entry); }
  }
}
