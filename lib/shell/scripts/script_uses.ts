import { fixedWord, HOLE, isFixed, literalOf, type Word } from "../parse/tree.ts";
import { awkEffects } from "./awk_script.ts";
import type { Language } from "../programs/program_table.ts";
import type { Arguments } from "../programs/read_options.ts";
import { sedEffects } from "./sed_script.ts";
import { type ProgramUse, unknownUse } from "../programs/program_use.ts";

/** An effect of a script other than the processing of its input. */
export interface ScriptEffect {
  readonly kind: "read" | "output" | "unknown";
  /** The file; empty for an unknown effect. */
  readonly path: string;
}

/** A script among the words of a command. */
export interface ScriptOptions {
  readonly language: Language | undefined;
  /** The words that hold it, as written. */
  readonly text: string;
  /** The index of its last word. */
  readonly last: number;
  /** True if no word follows. */
  readonly isLast: boolean;
}

/** The uses of a script among the words of a command, without the processing of its input. */
export function scriptUses(
  script: Word,
  { language, text, last, isLast }: ScriptOptions,
): readonly ProgramUse[] {
  const unknown = (why: string): ProgramUse => ({
    kind: "unknown",
    text,
    value: script,
    lastWord: last,
    why,
  });
  if (language === "printf") {
    // %n sets the variable that a further word names, and evaluates its subscript.
    const sets = !isLast &&
      (!isFixed(script.shape) || /%[^A-Za-z%\\]*[hlLjqtz]*n/.test(script.shape));
    return sets ? [unknown("its format may set a variable")] : [];
  }
  const literal = literalOf(script);
  if (literal === undefined) return [unknown("part of its script is not fixed")];
  const effects = language === "sed"
    ? sedEffects(literal)
    : language === "awk"
    ? awkEffects(literal)
    : undefined;
  if (!effects) return [unknown("its script cannot be parsed")];
  return effects.flatMap(({ kind, path }): readonly ProgramUse[] => {
    if (kind === "unknown") return [unknown("its script runs or writes something")];
    return STREAMS.test(path) ? [] : [{ kind, text, value: fixedWord(path), lastWord: last }];
  });
}

/** Streams that are open anyway. */
const STREAMS = /^(?:\/dev\/(?:null|stdin|stdout|stderr))$/;

/** Options of jq with two arguments, and with one. */
const TWO = /^--(?:arg|argjson|slurpfile|rawfile|argfile)$/;
const ONE = /^(?:--indent|--library-path|-L)$/;

/** The unknown uses of a program for jq or yq: it may read another file. */
export function filterUses(
  words: readonly Word[],
  { args: { options, operands }, language }: {
    args: Arguments;
    language: Language | undefined;
  },
): readonly ProgramUse[] {
  if (language !== "jq" && language !== "yq") return [];
  const unknown = (last: number, why: string) => [unknownUse(words, { last, why })];
  if (language === "yq") {
    const loads = [...operands, ...options.map(({ last }) => last)]
      .find((each) => LOADS.test(words[each]!.shape)) ?? openExpression(words, operands);
    return loads === undefined ? [] : unknown(loads, "it may read another file");
  }
  const file = options.find(({ option }) => /^(?:-f|--from-file)$/.test(option.name));
  if (file) return unknown(file.last, "its program is in a file");
  const imports = words.findIndex(({ shape }) => IMPORTS.test(shape));
  if (imports > 0) return unknown(imports, "it may import a file");
  const at = filterAt(words);
  if (at === undefined || STARTS.test(words[at]!.shape)) return [];
  return unknown(at, "it may import a file");
}

/** Functions of yq that read another file (`load`, `load_str`), or that evaluate a text. */
const LOADS = /\bload|\beval\s*\(/;

/** An import of jq, in any word. */
const IMPORTS = /(?:^|[\n;])\s*(?:import|include|module)\b|\bmodulemeta\b/;

/** The index of yq's expression, if the line does not fix it. */
function openExpression(words: readonly Word[], operands: readonly number[]): number | undefined {
  const [first, second] = operands;
  const isVerb = first !== undefined && /^(?:e|eval|ea|eval-all)$/.test(words[first]!.shape);
  const at = isVerb ? second : first;
  return at !== undefined && words[at]!.shape.includes(HOLE) ? at : undefined;
}

/** The index of the word that holds the program of jq; undefined if there is none. */
function filterAt(words: readonly Word[]): number | undefined {
  for (let at = 1; at < words.length; at++) {
    const { shape } = words[at]!;
    if (TWO.test(shape)) at += 2;
    else if (ONE.test(shape)) at++;
    else if (!shape.startsWith("-") || shape === "-") return at;
  }
  return undefined;
}

/** The start of a program of jq without imports, which stand first or not at all. Source: jq's manual, MODULES. */
const STARTS = new RegExp(
  String.raw`^\s*(?:$|[.[{("$@\d-]|(?!(?:module|import|include)\b)[A-Za-z_]\w*(?:[^\w${HOLE}]|$))`,
);
