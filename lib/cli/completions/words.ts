import { EVERYWHERE } from "../args/flags.ts";
import { type Flag, pathsOf, type Verb } from "../args/verb.ts";

/** A word that can come next in a verb's name. */
export interface NextWord {
  readonly word: string;
  /** A description, for shells that show one. */
  readonly summary: string;
}

/**
 * The words that can follow each beginning of a verb's name; the key is the words so far, joined by blanks (empty at the
 * start). In the order of the verbs, each word once.
 */
export function nextWords(
  verbs: readonly Verb[],
): ReadonlyMap<string, readonly NextWord[]> {
  const next = new Map<string, NextWord[]>();
  for (const verb of verbs) {
    for (const path of pathsOf(verb)) {
      for (const [index, word] of path.entries()) {
        const begin = path.slice(0, index).join(" ");
        const words = next.get(begin) ?? [];
        next.set(begin, words);
        const summary = index === path.length - 1 ? verb.summary : `${word} …`;
        if (!words.some((other) => other.word === word)) words.push({ word, summary });
      }
    }
  }
  return next;
}

/** Every way to write a verb's name, each joined by blanks, longest first over all verbs. */
export function verbNames(
  verbs: readonly Verb[],
): readonly { readonly name: string; readonly verb: Verb }[] {
  const names = verbs.flatMap((verb) =>
    pathsOf(verb).map((path) => ({ name: path.join(" "), verb }))
  );
  return names.sort((one, other) => other.name.split(" ").length - one.name.split(" ").length);
}

/** All flags of a verb, those of every verb included. */
export function flagsOf(verb: Verb): readonly Flag[] {
  return [...verb.flags, ...EVERYWHERE];
}

/** The command that prints the patterns of rules; only the program on the PATH is started, and what it complains about is not shown. */
export const PATTERNS_COMMAND = "command caliban completions patterns 2>/dev/null";

/** True for a value of several words with commas between. */
export function isList(flag: Flag): boolean {
  return flag.value === "IDS" && flag.choices !== undefined;
}
