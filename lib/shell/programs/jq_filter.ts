import type { Language } from "./program.ts";
import type { Arguments } from "./read_options.ts";
import { HOLE, type Word } from "../parse/tree.ts";
import type { ProgramUse } from "./use.ts";

/** Options of jq with a name and a value behind them. */
const TWO = /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/;
const ONE = /^(?:--indent|--library-path|-L)$/;

/** What the program of jq or yq does besides working on its input; one of jq that is in a file may do anything. */
export function filterUses(
  words: readonly Word[],
  { args: { options, operands }, language }: {
    args: Arguments;
    language: Language | undefined;
  },
): readonly ProgramUse[] {
  if (language !== "jq" && language !== "yq") return [];
  const odd = (at: number, why: string): readonly ProgramUse[] => {
    const value = words[at]!;
    return [{ kind: "unknown", text: value.raw, value, lastWord: at, why }];
  };
  if (language === "yq") {
    const loads = [...operands, ...options.map(({ last }) => last)]
      .find((each) => LOADS.test(words[each]!.shape)) ?? openExpression(words, operands);
    return loads === undefined ? [] : odd(loads, "it may read another file");
  }
  const file = options.find(({ option }) => /^(?:-f|--from-file)$/.test(option.name));
  if (file) return odd(file.last, "its program is in a file");
  const imports = words.findIndex(({ shape }) => IMPORTS.test(shape));
  if (imports > 0) return odd(imports, "it may import a file");
  const at = filterAt(words);
  if (at === undefined || STARTS.test(words[at]!.shape)) return [];
  return odd(at, "it may import a file");
}

/** What reads another file in yq: load, load_str and the like, and what is evaluated. */
const LOADS = /\bload|\beval\s*\(/;

/** An import of jq, wherever the program stands. */
const IMPORTS = /(?:^|[\n;])\s*(?:import|include|module)\b/;

/** The index of yq's expression, where the line does not fix it. */
function openExpression(words: readonly Word[], operands: readonly number[]): number | undefined {
  const [first, second] = operands;
  const isVerb = first !== undefined && /^(?:e|eval|ea|eval-all)$/.test(words[first]!.shape);
  const at = isVerb ? second : first;
  return at !== undefined && words[at]!.shape.includes(HOLE) ? at : undefined;
}

/** The index of the word that is the program; undefined where there is none. */
function filterAt(words: readonly Word[]): number | undefined {
  for (let at = 1; at < words.length; at++) {
    const { shape } = words[at]!;
    if (TWO.test(shape)) at += 2;
    else if (ONE.test(shape)) at++;
    else if (!shape.startsWith("-") || shape === "-") return at;
  }
  return undefined;
}

/**
 * How a program surely begins with something else than imports of other files, which stand first or not at all. Source: jq's
 * manual, MODULES.
 */
const STARTS = new RegExp(
  String.raw`^\s*(?:$|[.[{("$@\d-]|(?!(?:module|import|include)\b)[A-Za-z_]\w*(?:[^\w${HOLE}]|$))`,
);
