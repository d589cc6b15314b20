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
 * Entries by the hash of their key. Most look-ups find none, and a large map is mostly outside of the processor's cache, so a byte
 * for each slot is looked at first.
 */
export class KeyTable {
  /** For each slot 7 bits of its hash and one more; 0 for a free one. Their number is a power of two, half of them free. */
  #tags = new Uint8Array(16);
  #hashes = new Int32Array(16);
  #entries: (KeyEntry | undefined)[] = free(16);
  #size = 0;

  get size(): number {
    return this.#size;
  }

  get(hash: number): KeyEntry | undefined {
    const tags = this.#tags;
    const last = tags.length - 1;
    const wanted = tagOf(hash);
    for (let at = slotOf(hash) & last;; at = at + 1 & last) {
      const tag = tags[at];
      if (tag === 0) return undefined;
      if (tag === wanted && this.#hashes[at] === hash) return this.#entries[at];
    }
  }

  /** The entry of a hash, which is made if there is none. */
  entry(hash: number): KeyEntry {
    const known = this.get(hash);
    if (known !== undefined) return known;
    if (++this.#size * 2 > this.#tags.length) this.#grow();
    const entry = entryOf([]);
    this.#put(hash, entry);
    return entry;
  }

  #put(hash: number, entry: KeyEntry): void {
    const last = this.#tags.length - 1;
    let at = slotOf(hash) & last;
    while (this.#tags[at] !== 0) at = at + 1 & last;
    this.#tags[at] = tagOf(hash);
    this.#hashes[at] = hash;
    this.#entries[at] = entry;
  }

  #grow(): void {
    const [hashes, entries] = [this.#hashes, this.#entries];
    const length = 2 * hashes.length;
    this.#tags = new Uint8Array(length);
    this.#hashes = new Int32Array(length);
    this.#entries = free(length);
    for (let at = 0; at < hashes.length; at++) {
      const entry = entries[at];
      if (entry !== undefined) this.#put(hashes[at]!, entry);
    }
  }
}

function free(length: number): (KeyEntry | undefined)[] {
  return new Array<KeyEntry | undefined>(length).fill(undefined);
}

function slotOf(hash: number): number {
  return hash ^ hash >>> 15;
}

function tagOf(hash: number): number {
  return hash >>> 25 | 0x80;
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
