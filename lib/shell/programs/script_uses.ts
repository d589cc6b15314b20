import { awkEffects } from "./awk_script.ts";
import { fixedWord, isFixed, literalOf } from "../parse/parse_word.ts";
import type { Language } from "./program.ts";
import { sedEffects } from "./sed_script.ts";
import type { Word } from "../parse/tree.ts";
import type { ProgramUse } from "./use.ts";

/** What a script does besides working on its input; `odd` when it cannot be known. */
export interface ScriptEffect {
  /** Reads or writes a file, or cannot be known. */
  readonly kind: "read" | "output" | "odd";
  /** The file; empty when it cannot be known. */
  readonly path: string;
}

/** A script among the words of a command. */
export interface ScriptOptions {
  /** What it is written in; undefined where that is not known. */
  readonly language: Language | undefined;
  /** The words that say it, as written. */
  readonly text: string;
  /** The index of its last word. */
  readonly last: number;
  /** Whether further words follow. */
  readonly isLast: boolean;
}

/** What a script among the words of a command does besides working on its input. */
export function scriptUses(
  script: Word,
  { language, text, last, isLast }: ScriptOptions,
): readonly ProgramUse[] {
  const odd = (why: string): ProgramUse => ({
    kind: "unknown",
    text,
    value: script,
    lastWord: last,
    why,
  });
  if (language === "printf") {
    // %n sets the variable that a further word names, subscript and all.
    const sets = !isLast &&
      (!isFixed(script.shape) || /%[^A-Za-z%\\]*[hlLjqtz]*n/.test(script.shape));
    return sets ? [odd("its format may set a variable")] : [];
  }
  const literal = literalOf(script);
  if (literal === undefined) return [odd("a part of the script is not fixed")];
  const effects = language === "sed"
    ? sedEffects(literal)
    : language === "awk"
    ? awkEffects(literal)
    : undefined;
  if (!effects) return [odd("its script cannot be read")];
  return effects.flatMap(({ kind, path }): readonly ProgramUse[] => {
    if (kind === "odd") return [odd("its script runs or writes something")];
    return STREAMS.test(path) ? [] : [{ kind, text, value: fixedWord(path), lastWord: last }];
  });
}

/** Names of streams that are open anyway. */
const STREAMS = /^(?:\/dev\/(?:null|stdin|stdout|stderr))$/;
