import { type FoundOption, isDangerous, type Option, type Program } from "./program.ts";
import type { OptionList } from "./program_table.ts";
import { HOLE, isFixed, NAME, type Word } from "../parse/tree.ts";

/** One option among the words of a command. */
export interface OptionUse {
  readonly option: Option;
  /** The index of its word. */
  readonly first: number;
  /** The index of the last word that belongs to it. */
  readonly last: number;
  /** The shape of its value; absent for a flag. */
  readonly value?: string;
  /** The word that holds the value; for a flag, its own word. */
  readonly word: Word;
}

/** The arguments of a command, sorted. */
export interface Arguments {
  readonly options: readonly OptionUse[];
  /** The indices of its operands. */
  readonly operands: readonly number[];
  /** The indices of words that the line does not fix and that may be, or add, any option. */
  readonly possibleOptions: readonly number[];
}

/** True if one of the options is of a list. */
export function hasOption({ options }: Pick<Arguments, "options">, list: OptionList): boolean {
  return options.some(({ option }) => option.lists.includes(list));
}

/** The range of words to read. */
export interface ReadOptions {
  /** The index of the first word to read. */
  readonly from: number;
  /** True if the first operand ends the options. */
  readonly stops: boolean;
}

const NONE: readonly never[] = [];

/** Arguments that are being sorted. Most commands have some of these lists only. */
interface Sorted {
  options: OptionUse[] | undefined;
  operands: number[] | undefined;
  possibleOptions: number[] | undefined;
}

function addOption(sorted: Sorted, use: OptionUse): void {
  if (sorted.options === undefined) sorted.options = [use];
  else sorted.options.push(use);
}

function addPossible(sorted: Sorted, at: number): void {
  if (sorted.possibleOptions === undefined) sorted.possibleOptions = [at];
  else sorted.possibleOptions.push(at);
}

function addOperand(sorted: Sorted, at: number): void {
  if (sorted.operands === undefined) sorted.operands = [at];
  else sorted.operands.push(at);
}

/** Sorts the words of a command into options with their values and operands, as getopt or `find` would. */
export function readOptions(
  words: readonly Word[],
  { program, from, stops }: ReadOptions & { program: Program },
): Arguments {
  const sorted: Sorted = { options: undefined, operands: undefined, possibleOptions: undefined };
  const { style = "getopt", bundle } = program.table;
  let at = bundle ? readBundle(words, { program, from, sorted }) : from;
  for (; at < words.length; at++) {
    const word = words[at]!;
    const { shape } = word;
    if (shape.charCodeAt(0) !== DASH || !isOption(word, program)) {
      if (mayBeOption(word)) addPossible(sorted, at);
      if (stops) break;
      addOperand(sorted, at);
      continue;
    }
    if (shape === "--" && style === "getopt") {
      at++;
      break;
    }
    const found = optionsIn(word, program);
    if (!isFixed(shape)) {
      const isUnknown = found.every(({ value }) => value === undefined) ||
        mayTakeNext(word, found) && (stops || mattersAsValue(words, { at: at + 1, program }));
      if (isUnknown || mayAddOption(word)) addPossible(sorted, at);
    }
    at = readValues(found, { words, first: at, sorted });
  }
  for (; at < words.length; at++) addOperand(sorted, at);
  return {
    options: sorted.options ?? NONE,
    operands: sorted.operands ?? NONE,
    possibleOptions: sorted.possibleOptions ?? NONE,
  };
}

const DASH = 0x2d;

/** Adds the options that one word may be, each with its value or command. Returns the index of their last word. */
function readValues(
  found: ReturnType<typeof optionsIn>,
  { words, first, sorted }: {
    readonly words: readonly Word[];
    readonly first: number;
    readonly sorted: Sorted;
  },
): number {
  const word = words[first]!;
  let at = first;
  for (let index = 0; index < found.length; index++) {
    const { option, value, inexact } = found[index]!;
    if (value !== undefined) addOption(sorted, { option, first, last: at, word, value });
    else if (option.isIdle && option.takes !== "needed") {
      addOption(sorted, { option, first, last: at, word });
    } else if (option.lists.includes("commands")) {
      const end = endOfCommand(words, at + 1);
      addOption(sorted, { option, first, last: end, word });
      at = end;
    } else if (option.takes === "needed") {
      const next = words[first + 1];
      // An inexact match may take no value: the next word is then read again as a word of its own.
      if (next && !inexact && at === first) at++;
      if (next && mayAddOption(next)) addPossible(sorted, at);
      if (next) {
        addOption(sorted, { option, first, last: first + 1, word: next, value: next.shape });
      } else addOption(sorted, { option, first, last: at, word });
    } else addOption(sorted, { option, first, last: at, word });
  }
  return at;
}

/** A bundle of letters, and one that may have a dash. */
const LETTERS = /^([A-Za-z]+)$/;
const DASHED = /^-?([A-Za-z]+)$/;

/** Reads `tar cfI x.tar gzip`: letters without a dash, their values in order behind them. Returns the next index. */
function readBundle(
  words: readonly Word[],
  { program, from, sorted }: { program: Program; from: number; sorted: Sorted },
): number {
  const bundle = words[from];
  const form = program.table.bundle === "dashed" ? DASHED : LETTERS;
  const letters = form.exec(bundle?.shape ?? "")?.[1];
  if (!bundle || letters === undefined) return from;
  let at = from;
  for (const letter of letters) {
    const option = program.options.get(`-${letter}`);
    if (!option) continue;
    if (option.takes !== "needed") {
      addOption(sorted, { option, first: from, last: at, word: bundle });
    } else {
      const word = words[at + 1];
      if (word) addOption(sorted, { option, first: from, last: ++at, word, value: word.shape });
    }
  }
  return at + 1;
}

/** True if a word that the line does not fix may be, or add, an option. */
function mayBeOption(word: Word): boolean {
  return word.shape.startsWith(HOLE) || mayAddOption(word);
}

/** True if a word may become several words, one of them an option. */
function mayAddOption({ shape, splits, glob }: Word): boolean {
  return splits && glob === undefined && shape.includes(HOLE);
}

/** True if the value in the word of an option may be empty, so that the next word is its value: `-n"$x" ls`. */
function mayTakeNext({ shape }: Word, found: readonly FoundOption[]): boolean {
  return !shape.startsWith("--") &&
    found.some(({ option, value = "" }) => option.takes === "needed" && isEmptiable(value));
}

/** True if the words behind a word are other options when it is a value: `--`, or an option with its value. */
function mattersAsValue(
  words: readonly Word[],
  { at, program }: { at: number; program: Program },
): boolean {
  const word = words[at];
  if (!word || !words[at + 1]) return false;
  if (word.shape === "--") return true;
  const takesNext = isOption(word, program) &&
    optionsIn(word, program).some(({ option, value }) =>
      option.takes === "needed" && value === undefined
    );
  return takesNext && /^[-\uF8FF]/.test(words[at + 1]!.shape);
}

function isEmptiable(shape: string): boolean {
  return shape !== "" && [...shape].every((each) => each === HOLE || each === NAME);
}

function isOption({ shape }: Word, program: Program): boolean {
  if (shape.length < 2 || shape[0] !== "-") return false;
  return program.table.style !== "words" || !/^-\d/.test(shape) || program.options.has(shape);
}

/** The most spellings of options that are cached for a program, and the length from which on one is not. */
const MAX_KNOWN = 512;
const LONGEST_KNOWN = 64;

function optionsIn({ shape }: Word, program: Program): readonly FoundOption[] {
  const known = program.spellings;
  let found = known.get(shape);
  if (!found) {
    found = readOption(shape, program);
    if (shape.length < LONGEST_KNOWN && !hasDigits(shape)) {
      if (known.size >= MAX_KNOWN) known.clear();
      known.set(shape, found);
    }
  }
  return found;
}

/** True for a spelling with several digits: numbers differ from line to line. */
function hasDigits(shape: string): boolean {
  let count = 0;
  for (let at = 1; at < shape.length; at++) {
    const code = shape.charCodeAt(at);
    if (code >= 0x30 && code <= 0x39 && ++count > 2) return true;
  }
  return false;
}

function readOption(shape: string, program: Program): readonly FoundOption[] {
  const { style } = program.table;
  if (style === "words") return wordOptions(shape, program);
  const isLong = shape.startsWith("--") && style !== "letters";
  return isLong ? longOptions(shape, program) : shortOptions(shape, program);
}

function wordOptions(shape: string, { options }: Program): readonly FoundOption[] {
  const equals = shape.indexOf("=");
  const name = equals < 0 ? shape : shape.slice(0, equals);
  const option = options.get(shape) ?? options.get(name) ?? options.get(name.replace(/^--/, "-"));
  if (!option) return [];
  return [
    equals < 0 || option.name === shape ? { option } : { option, value: shape.slice(equals + 1) },
  ];
}

/** Every option that a long spelling may mean: itself, or those that it abbreviates. */
function longOptions(shape: string, { options, table }: Program): readonly FoundOption[] {
  const equals = shape.indexOf("=");
  const name = equals < 0 ? shape : shape.slice(0, equals);
  const value = equals < 0 ? {} : { value: shape.slice(equals + 1) };
  const exact = options.get(shape) ?? options.get(name);
  if (exact?.name === shape) return [{ option: exact }];
  if (exact) return [{ option: exact, ...value }];
  if (table.abbreviate === false || name === "--") return [];
  const meant = [...options.values()].filter((option) => option.name.startsWith(name));
  // Of several options, the dangerous ones count; otherwise the first decides whether a value follows.
  const dangerous = meant.filter(isDangerous);
  return (dangerous.length > 0 ? dangerous : meant.slice(0, 1)).map((option) => ({
    option,
    ...value,
    inexact: true,
  }));
}

/** The options of a cluster `-abc`; behind one that takes a value, the rest is its value. */
function shortOptions(shape: string, { options, letters }: Program): readonly FoundOption[] {
  const whole = options.get(shape);
  if (whole) return [{ option: whole }];
  const found: FoundOption[] = [];
  for (let at = 1; at < shape.length; at++) {
    const option = letters.get(shape.charCodeAt(at));
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

/** The index of the `;` or `+` that ends the command of `-exec`; that of the last word without one. */
function endOfCommand(words: readonly Word[], from: number): number {
  for (let at = from; at < words.length; at++) {
    const { shape } = words[at]!;
    if (shape === ";" || shape === "+" && words[at - 1]!.shape === "{}") return at;
  }
  return words.length - 1;
}
