import type { Json, JsonObject, ToolCall } from "../model/call.ts";
import { type CleanedText, cleanedText, keptInput, maskedEnds } from "./keep_input.ts";
import { MASK } from "./mask_secrets.ts";
import { Removals } from "./take_out.ts";

/** A cleaner of the texts of one call. */
export interface CallCleaner {
  /** A text of the call, or about it, without any secret of the call. */
  readonly clean: (text: string) => string;
  /** A text that was made of the call: without its file contents, too. */
  readonly cleanMade: (text: string) => string;
  /** A sentence about the call: as `cleanMade`, but ordinary words outside of its quotes stay. */
  readonly cleanSentence: (text: string) => string;
}

/** The texts beside a call. */
export interface CallTexts {
  /** Texts that were made of the call: its units. */
  readonly made: readonly string[];
  /** Texts that are not of the call: patterns of the policy, the folder. */
  readonly known: readonly string[];
}

/** Stands in the place of file contents. */
const LEFT_OUT = "[left out]";

/** The most characters of contents that are compared with other texts; with more, those are left out whole. */
const MOST_CONTENTS = 1 << 20;

/** Members of an object or list that are searched. */
const SEARCHED_MEMBERS = 10_000;

/** A piece of a name or value, long enough to be looked for. */
const WORD = /[\p{L}\p{N}_]{4,}/gu;

/** Such a piece that is no ordinary word. */
const TELLING_WORD = /(?![a-z]+(?![\p{L}\p{N}_]))[\p{L}\p{N}_]{4,}/gu;

/**
 * Finds the secrets and the file contents of a call, once: in its whole input, and in the texts that were made of it, where
 * quoting is undone. A text that is secret in one of them is taken out of all. Never throws.
 */
export function callCleaner(call: Pick<ToolCall, "tool" | "input">, texts: CallTexts): CallCleaner {
  const cleaned = remembering(cleanedText);
  const parts = partsOf(call, cleaned);
  const secrets = new Removals(MASK);
  for (const secret of parts.secrets) secrets.add(secret);
  for (const text of texts.made) {
    for (const secret of cleaned(text).secrets) secrets.add(secret);
  }
  for (const text of [...parts.contents, ...parts.bodies]) {
    for (const secret of cleaned(text).secrets.filter(isTelling)) secrets.add(secret);
  }
  const known = new Set([...parts.kept, ...texts.known].flatMap(wordsOf));
  const contents = new Contents(parts, known);
  const clean = remembering((text: string) => secrets.from(cleaned(text).text));
  return {
    clean,
    cleanMade: remembering((text: string) => contents.from(clean(text))),
    cleanSentence: remembering((text: string) => contents.fromSentence(clean(text))),
  };
}

/** True if a value that a file announces is no ordinary word: `hunter2`, but not the type in `password: string`. */
function isTelling(secret: string): boolean {
  return /\d/.test(secret) && /\p{L}/u.test(secret);
}

/** An input for a reader who must not learn its secrets. */
export interface MaskedInput {
  /** The whole input, contents of files included, with `[masked]` in place of each secret. */
  readonly input: JsonObject;
  /** True if anything is not shown. */
  readonly isMasked: boolean;
  /** A text about the call without those secrets. */
  readonly clean: (text: string) => string;
}

/** The input of a call without the secrets that `callCleaner` finds in it. Never throws. */
export function maskedInput(call: Pick<ToolCall, "tool" | "input">): MaskedInput {
  const found = remembering(maskedEnds);
  const secrets = new Removals(MASK);
  const bounds = {
    text: Infinity,
    members: SEARCHED_MEMBERS,
    keepsContents: true,
    onRemoved: ({ value }: { readonly value: Json }) =>
      textsIn(value).forEach((text) => secrets.add(text)),
  } as const;
  const collect = (text: string) => {
    for (const secret of found(text).secrets) secrets.add(secret);
    return text;
  };
  keptInput(call, { ...bounds, clean: collect });
  const clean = (text: string) => secrets.from(found(text).text);
  const input = keptInput(call, { ...bounds, clean });
  return { input, isMasked: JSON.stringify(input) !== JSON.stringify(call.input), clean };
}

/** The parts of an input. */
interface InputParts {
  /** Secrets as they are written. */
  readonly secrets: readonly string[];
  /** Contents of files. */
  readonly contents: readonly string[];
  /** Bodies of here-documents. */
  readonly bodies: readonly string[];
  /** The texts that stay, cleaned. */
  readonly kept: readonly string[];
}

function partsOf(
  call: Pick<ToolCall, "tool" | "input">,
  cleaned: (text: string) => CleanedText,
): InputParts {
  const parts = {
    secrets: [] as string[],
    contents: [] as string[],
    bodies: [] as string[],
    kept: [] as string[],
  };
  keptInput(call, {
    text: Infinity,
    members: SEARCHED_MEMBERS,
    clean: (text) => {
      const { text: rest, secrets, bodies } = cleaned(text);
      parts.secrets.push(...secrets);
      parts.bodies.push(...bodies);
      parts.kept.push(rest);
      return rest;
    },
    onRemoved: ({ as, value }) => {
      (as === "secret" ? parts.secrets : parts.contents).push(...textsIn(value));
    },
  });
  return parts;
}

/** The texts and numbers in a value. */
function textsIn(value: Json): readonly string[] {
  const texts: string[] = [];
  const rest: Json[] = [value];
  for (let each = rest.pop(); each !== undefined; each = rest.pop()) {
    if (typeof each === "string") texts.push(each);
    else if (typeof each === "number") texts.push(`${each}`);
    else if (typeof each === "object" && each !== null) {
      for (const inner of Object.values(each)) if (inner !== undefined) rest.push(inner);
    }
  }
  return texts;
}

/** The file contents of a call, line by line; of here-documents also word by word, since a line of a shell is taken apart. */
class Contents {
  readonly #lines = new Removals(LEFT_OUT);
  readonly #words: ReadonlySet<string>;
  readonly #isTooLong: boolean;

  constructor({ contents, bodies }: InputParts, known: ReadonlySet<string>) {
    const all = [...contents, ...bodies];
    this.#isTooLong = all.reduce((sum, { length }) => sum + length, 0) > MOST_CONTENTS;
    const searched = this.#isTooLong ? [] : all;
    const isKnown = (line: string) => {
      const words = wordsOf(line);
      return words.length > 0 && words.every((word) => known.has(word));
    };
    for (const line of new Set(searched.flatMap((text) => text.split("\n")))) {
      if (!isKnown(line)) this.#lines.add(line);
    }
    const words = this.#isTooLong ? [] : bodies.flatMap(wordsOf);
    this.#words = new Set(words.filter((word) => !known.has(word)));
  }

  from(text: string): string {
    return this.#isTooLong ? LEFT_OUT : this.#withoutWords(this.#lines.from(text));
  }

  fromSentence(text: string): string {
    if (this.#isTooLong) return LEFT_OUT;
    return this.#lines.from(text).split(/(`[^`]*`|"[^"]*")/)
      .map((part, index) => this.#withoutWords(part, index % 2 > 0 ? WORD : TELLING_WORD)).join("");
  }

  #withoutWords(text: string, word = WORD): string {
    if (this.#words.size === 0) return text;
    return text.replace(word, (each) => this.#words.has(each) ? LEFT_OUT : each);
  }
}

function wordsOf(text: string): readonly string[] {
  return text.match(WORD) ?? [];
}

/** A function with a cache. */
function remembering<Value>(of: (text: string) => Value): (text: string) => Value {
  const known = new Map<string, Value>();
  return (text) => {
    const before = known.get(text);
    if (before !== undefined) return before;
    const value = of(text);
    known.set(text, value);
    return value;
  };
}
