import { MASK } from "./mask_secrets.ts";

/** The shortest text that is taken out wherever it stands, in UTF-16 code units; shorter ones are parts of other words. */
const SHORTEST = 4;

/** The most texts that are looked for; with more, nothing is kept of a text. */
const MOST = 5000;

/** The longest beginning of a text that is looked for in front of a cut. */
const LONGEST_CUT = 200;

/** The sign in place of the rest of a text that was cut. */
const CUT = "…";

/** A text without quotes, backslashes and the size of its blanks, in which texts are found however they are quoted. */
interface Skeleton {
  readonly text: string;
  /** The place of each character in the written text. */
  readonly places: readonly number[];
}

function skeletonOf(written: string): Skeleton {
  const places: number[] = [];
  let text = "";
  for (let at = 0; at < written.length; at++) {
    const character = written[at] ?? "";
    if (character === "\\" || character === '"' || character === "'") continue;
    const isBlank = character <= " ";
    if (isBlank && (text === "" || text.endsWith(" "))) continue;
    text += isBlank ? " " : character;
    places.push(at);
  }
  return { text, places };
}

/** Texts that are to stand nowhere. */
export class Removals {
  readonly #mark: string;
  readonly #all = new Set<string>();
  /** The texts by their first characters, longest first once they are looked for. */
  readonly #byHead = new Map<string, string[]>();

  /** `mark`: stands in the place of each. */
  constructor(mark: string) {
    this.#mark = mark;
  }

  /** Adds a text as it is written somewhere, in the other spellings that it may have as well. */
  add(written: string): void {
    for (const piece of written.split(MASK)) {
      for (const spelling of spellingsOf(piece)) this.#addSpelling(spelling);
    }
  }

  #addSpelling(spelling: string): void {
    const text = skeletonOf(spelling).text.trimEnd();
    if (text.length < SHORTEST || this.#all.has(text)) return;
    this.#all.add(text);
    const head = text.slice(0, SHORTEST);
    const known = this.#byHead.get(head);
    if (known === undefined) this.#byHead.set(head, [text]);
    else known.push(text);
  }

  /** The text with the mark in place of each of the texts, and of the beginning of one in front of a cut. */
  from(text: string): string {
    if (this.#all.size === 0 || text.length < SHORTEST) return text;
    if (this.#all.size > MOST) return this.#mark;
    const skeleton = skeletonOf(text);
    let kept = "";
    let copied = 0;
    for (let at = 0; at < skeleton.text.length; at++) {
      const length = this.#lengthAt(skeleton.text, at);
      if (length === 0) continue;
      const [start = 0, last = 0] = [skeleton.places[at], skeleton.places[at + length - 1]];
      kept += text.slice(copied, start) + this.#mark;
      copied = last + 1;
      at += length - 1;
    }
    return kept + text.slice(copied);
  }

  /** The length of the longest of the texts that stands at a place; 0 for none. */
  #lengthAt(text: string, at: number): number {
    const known = this.#byHead.get(text.slice(at, at + SHORTEST));
    if (known === undefined) return 0;
    let longest = 0;
    for (const each of known) {
      if (each.length > longest && text.startsWith(each, at)) longest = each.length;
    }
    if (longest > 0) return longest;
    const cut = text.indexOf(CUT, at);
    if (cut < 0 || cut - at > LONGEST_CUT) return 0;
    const piece = text.slice(at, cut);
    return known.some((each) => each.startsWith(piece)) ? piece.length : 0;
  }
}

/** A text as it is written, decoded, and as a URL and JSON write it. */
function spellingsOf(text: string): readonly string[] {
  const spellings = [text];
  if (text.includes("\\")) {
    spellings.push(text.replace(/\\(.)/gs, (_all, letter) => ESCAPES[letter] ?? letter));
  }
  const plain = text.replaceAll(/["'\\]/g, "");
  if (/%[0-9a-f]{2}/i.test(plain)) spellings.push(decoded(plain));
  if (/[^\w.~-]/.test(plain) && plain.length <= 2000) {
    spellings.push(encodeURIComponent(plain.toWellFormed()), encodeURI(plain.toWellFormed()));
  }
  // me:password, me%password
  const password = /^[^\s:%]{1,100}[:%](.+)$/s.exec(plain)?.[1];
  if (password !== undefined) spellings.push(password);
  // -----BEGIN … and several lines: each line.
  if (plain.includes("\n")) spellings.push(...plain.split("\n").map((line) => line.trim()));
  return spellings;
}

/** Escapes of `$'…'` and of JSON that stand for blanks, and a line that a shell continues. */
const ESCAPES: Readonly<Record<string, string>> = { n: "\n", r: "\r", t: "\t", "\n": "" };

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch (error) {
    if (error instanceof URIError) return text;
    throw error;
  }
}
