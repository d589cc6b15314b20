import { isDangerous, type Option, type Program } from "./program.ts";
import { isFixed } from "../parse/parse_word.ts";
import { HOLE, type Word } from "../parse/tree.ts";

/** One option as it stands among the words of a command. */
export interface OptionUse {
  /** The option. */
  readonly option: Option;
  /** The index of the word that it stands in. */
  readonly first: number;
  /** The index of the last word that belongs to it. */
  readonly last: number;
  /** Its value's shape; absent for a flag. */
  readonly value?: string;
  /** The word that the value is, or is part of. */
  readonly word: Word;
}

/** What stands among the words of a command. */
export interface Arguments {
  /** Its options. */
  readonly options: readonly OptionUse[];
  /** The indices of its operands. */
  readonly operands: readonly number[];
  /** The indices of words that the line does not fix and that may be any option. */
  readonly hidden: readonly number[];
}

/** Where reading starts and how. */
export interface ReadOptions {
  /** The index of the first word to read. */
  readonly from: number;
  /** Whether the first operand ends the options. */
  readonly stops: boolean;
}

/** Sorts the words of a command into options, their values, and operands, as getopt or `find` would. */
export function readOptions(
  words: readonly Word[],
  { program, from, stops }: ReadOptions & { program: Program },
): Arguments {
  const options: OptionUse[] = [];
  const operands: number[] = [];
  const hidden: number[] = [];
  let at = from;
  if (program.table.bundle) at = readBundle(words, { program, from, options });
  for (; at < words.length; at++) {
    const word = words[at]!;
    if (word.shape === "--" && program.table.style !== "words") {
      at++;
      break;
    }
    if (!isOption(word, program)) {
      if (mayHide(word)) hidden.push(at);
      if (stops) break;
      operands.push(at);
      continue;
    }
    const found = optionsIn(word, program);
    const holdsValue = found.some(({ value }) => value !== undefined);
    if (mayAdd(word) || !holdsValue && !isFixed(word.shape)) hidden.push(at);
    at = readValues(found, { words, first: at, options, hidden });
  }
  for (; at < words.length; at++) operands.push(at);
  return { options, operands, hidden };
}

/** Adds the options that one word may be, each with its value or its command; gives the index of their last word. */
function readValues(
  found: ReturnType<typeof optionsIn>,
  { words, first, options, hidden }: {
    words: readonly Word[];
    first: number;
    options: OptionUse[];
    hidden: number[];
  },
): number {
  const word = words[first]!;
  let at = first;
  for (const { option, value, inexact } of found) {
    if (option.lists.includes("commands") && value === undefined) {
      const end = commandEnd(words, at + 1);
      options.push({ option, first, last: end, word });
      at = end;
    } else if (option.takes === "needed" && value === undefined) {
      const next = words[first + 1];
      // What is read once more as a word of its own is not lost.
      if (next && !inexact && at === first) at++;
      if (next && mayAdd(next)) hidden.push(at);
      options.push({
        option,
        first,
        last: next ? first + 1 : at,
        word: next ?? word,
        ...(next ? { value: next.shape } : {}),
      });
    } else {
      options.push({ option, first, last: at, word, ...(value === undefined ? {} : { value }) });
    }
  }
  return at;
}

/** The options of `tar cfI x.tar gzip`: letters without a dash, their values in order behind them. Gives the next index. */
function readBundle(
  words: readonly Word[],
  { program, from, options }: { program: Program; from: number; options: OptionUse[] },
): number {
  const bundle = words[from];
  if (!bundle || !/^[A-Za-z]+$/.test(bundle.shape)) return from;
  let at = from;
  for (const letter of bundle.shape) {
    const option = program.options.get(`-${letter}`);
    if (!option) continue;
    if (option.takes !== "needed") options.push({ option, first: from, last: at, word: bundle });
    else {
      const word = words[++at];
      if (word) options.push({ option, first: from, last: at, word, value: word.shape });
    }
  }
  return at + 1;
}

/** Whether a word that the line does not fix may be, or add, an option. */
export function mayHide(word: Word): boolean {
  return word.shape.startsWith(HOLE) || mayAdd(word);
}

/** Whether a word may become several, of which one may be an option. */
function mayAdd({ shape, splits, glob }: Word): boolean {
  return splits && glob === undefined && shape.includes(HOLE);
}

function isOption({ shape }: Word, program: Program): boolean {
  if (shape.length < 2 || shape[0] !== "-") return false;
  return program.table.style !== "words" || !/^-\d/.test(shape);
}

interface Found {
  readonly option: Option;
  readonly value?: string;
  /** Set where it is only the beginning of the option's name: it may be another one, that takes no value. */
  readonly inexact?: true;
}

/** How many spellings of options are remembered for a program. */
const MAX_KNOWN = 512;

const knownOptions = new WeakMap<Program, Map<string, readonly Found[]>>();

function optionsIn({ shape }: Word, program: Program): readonly Found[] {
  let known = knownOptions.get(program);
  if (!known) knownOptions.set(program, known = new Map());
  let found = known.get(shape);
  if (!found) {
    found = readOption(shape, program);
    if (known.size >= MAX_KNOWN) known.clear();
    if (shape.length < 64) known.set(shape, found);
  }
  return found;
}

function readOption(shape: string, program: Program): readonly Found[] {
  if (program.table.style === "words") return wordOptions(shape, program);
  return shape.startsWith("--") ? longOptions(shape, program) : shortOptions(shape, program);
}

function wordOptions(shape: string, { options }: Program): readonly Found[] {
  const equals = shape.indexOf("=");
  const name = equals < 0 ? shape : shape.slice(0, equals);
  const option = options.get(shape) ?? options.get(name) ?? options.get(name.replace(/^--/, "-"));
  if (!option) return [];
  return [
    equals < 0 || option.name === shape ? { option } : { option, value: shape.slice(equals + 1) },
  ];
}

/** Every option that a long spelling may stand for: itself, or those that it is the beginning of. */
function longOptions(shape: string, { options, table }: Program): readonly Found[] {
  const equals = shape.indexOf("=");
  const name = equals < 0 ? shape : shape.slice(0, equals);
  const value = equals < 0 ? {} : { value: shape.slice(equals + 1) };
  const exact = options.get(shape) ?? options.get(name);
  if (exact?.name === shape) return [{ option: exact }];
  if (exact) return [{ option: exact, ...value }];
  if (table.abbreviate === false || name === "--") return [];
  const meant = [...options.values()].filter((option) => option.name.startsWith(name));
  // Where it may be several, what takes a word decides how the rest is read; what is dangerous counts.
  const dangerous = meant.filter(isDangerous);
  return (dangerous.length > 0 ? dangerous : meant.slice(0, 1)).map((option) => ({
    option,
    ...value,
    inexact: true,
  }));
}

/** The options of a cluster `-abc`; the rest behind one that takes a value is its value. */
function shortOptions(shape: string, { options }: Program): readonly Found[] {
  const whole = options.get(shape);
  if (whole) return [{ option: whole }];
  const found: Found[] = [];
  for (let at = 1; at < shape.length; at++) {
    const option = options.get(`-${shape[at]}`);
    if (!option) continue;
    const rest = shape.slice(at + 1);
    if (option.lists.includes("commands") && rest !== "") {
      found.push({ option, value: rest });
      break;
    } else if (option.takes === "none") found.push({ option });
    else {
      found.push(rest === "" ? { option } : { option, value: rest.replace(/^=/, "") });
      break;
    }
  }
  return found;
}

/** The index of the `;` or `+` that ends the command of `-exec`, or of the last word. */
function commandEnd(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const { shape } = words[at]!;
    if (shape === ";" || shape === "+" && words[at - 1]!.shape === "{}") return at;
  }
  return words.length - 1;
}
