import { awkEffects } from "./awk_script.ts";
import { fixedWord, literalOf } from "./parse_word.ts";
import { sedEffects } from "./sed_script.ts";
import type { Word } from "./tree.ts";
import type { Use } from "./use.ts";

/** What a script does besides working on its input; `odd` when it cannot be known. */
export interface ScriptEffect {
  /** Reads or writes a file, or cannot be known. */
  readonly kind: "read" | "output" | "odd";
  /** The file; empty when it cannot be known. */
  readonly path: string;
}

/** What a script among the words of sed or awk does besides working on its input. */
export function scriptUses(
  script: Word,
  { language, text, last }: { language: "sed" | "awk" | undefined; text: string; last: number },
): readonly Use[] {
  const literal = literalOf(script);
  const odd = (why: string): Use => ({ kind: "odd", text, value: script, last, why });
  if (literal === undefined) return [odd("a part of the script is not fixed")];
  const effects = language === "sed"
    ? sedEffects(literal)
    : language === "awk"
    ? awkEffects(literal)
    : undefined;
  if (!effects) return [odd("its script cannot be read")];
  return effects.flatMap(({ kind, path }): readonly Use[] => {
    if (kind === "odd") return [odd("its script runs or writes something")];
    return STREAMS.test(path) ? [] : [{ kind, text, value: fixedWord(path), last }];
  });
}

/** Names of streams that are open anyway. */
const STREAMS = /^(?:-|\/dev\/(?:null|stdin|stdout|stderr))$/;
