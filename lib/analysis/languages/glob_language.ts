import type { Glob } from "../../pattern/glob.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { Automata } from "../automata/automaton.ts";
import type { State } from "../automata/state.ts";
import { ANY, type CharSet, charSet, pairs } from "../automata/char_set.ts";

/** The comparison of literal text. */
export type Cases = "exact" | "folded";

/** The language of a string glob, then what follows. */
export function globLanguage(
  glob: Glob,
  { automata, next, cases = "exact" }: { automata: Automata; next: State; cases?: Cases },
): State {
  return glob.toReversed().reduce((state, token) => {
    switch (token.kind) {
      case "text":
        return textLanguage(token.text, { automata, next: state, cases });
      case "star":
        return automata.star(ANY, state);
      case "anyChar":
        return automata.one(ANY, state);
    }
  }, next);
}

/** The language of one text, then what follows. */
export function textLanguage(
  text: string,
  { automata, next, cases = "exact" }: { automata: Automata; next: State; cases?: Cases },
): State {
  if (cases === "exact") return automata.text(text, next);
  return [...text].toReversed().reduce((state, char) => automata.one(anyCase(char), state), next);
}

/** The characters that are equal if case is ignored: in ASCII both cases, beyond it the folded one. */
export function anyCase(char: string): CharSet {
  const codes = [...foldCase(char)].length === 1 ? [foldCase(char)] : [char];
  const folded = codes[0]!;
  const capital = /^[a-z]$/.test(folded) ? [folded.toUpperCase()] : [];
  return charSet([folded, ...capital].map((each) => {
    const code = each.codePointAt(0)!;
    return [code, code] as const;
  }));
}

/** The characters whose folded form is in one of the ranges: exact in ASCII, beyond it those that are folded. */
export function anyCaseOf(set: CharSet): CharSet {
  const letters: [number, number][] = [];
  for (const [low, high] of pairs(set)) {
    letters.push([low, high]);
    letters.push([Math.max(low, 0x61) - 0x20, Math.min(high, 0x7a) - 0x20]);
    letters.push([Math.max(low, 0x41) + 0x20, Math.min(high, 0x5a) + 0x20]);
  }
  return charSet(letters);
}
