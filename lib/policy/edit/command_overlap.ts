import { type Glob, literalHead } from "../../pattern/glob.ts";
import type { ValueTest } from "../../pattern/parse_pattern.ts";
import { foldCase } from "../../pattern/unicode.ts";
import type { ProgramTable } from "../../shell/programs/program_table.ts";
import { baseName, ProgramCatalog } from "../../shell/programs/program_catalog.ts";

type CommandTest = Extract<ValueTest, { readonly kind: "command" }>;

/** Operators and expansions: a pattern with one names more than one plain command. */
const COMPOUND = /[;&|<>$()`\n\t{}]/;
const QUOTED = /["'\\~]/;

/** A word at the beginning of a pattern, or the beginning of one that ends in a wildcard. */
interface Word {
  readonly text: string;
  /** The text in lower case, without the folders before it. */
  readonly name: string;
  readonly isWhole: boolean;
}

/**
 * True unless it is certain that no command matches the first test and either matches the second, of a deny or ask, or
 * cannot be evaluated for it. Compares the programs, and the words after them unless one is an option. A wildcard of an
 * allow rule never stands for a program, but each literal word of a pattern may be one, as in `sudo apt *`. `wrappers` are
 * those of the policy.
 */
export function commandsMayOverlap(
  first: CommandTest,
  second: CommandTest,
  { isAllow, wrappers }: { readonly isAllow: boolean; readonly wrappers: readonly string[] },
): boolean {
  if (first.anchor === "contains" || second.anchor === "contains") return true;
  const [own, other] = [partsOf(first), partsOf(second)];
  const [one, program, next] = [own.words[0], other.words[0], other.words[1]];
  if (one === undefined || program === undefined) return true;
  if (own.isCompound || other.isCompound || own.isQuoted) return true;
  if (QUOTED.test(program.text) || mayAssign(one) || mayAssign(program)) {
    return true;
  }
  if (mayWrap(program, wrappers) || !isAllow && mayWrap(one, wrappers)) return true;
  const { words, rest } = own;
  if (words.some((word, at) => at > 0 && agree(word, program)) || rest.includes(program.name)) {
    return true;
  }
  if (!agree(one, program)) return false;
  const behind = words[1];
  const isUnsure = (word: Word | undefined) =>
    word === undefined || /^-|^$|["'\\~]/.test(word.text);
  return isUnsure(behind) || isUnsure(next) || agree(behind!, next!);
}

/** True if a pattern may match any command of an allow rule, because it begins with a wrapper such as `time` or a variable. */
export function mayPrecedeCommands(test: CommandTest, wrappers: readonly string[]): boolean {
  const [program] = partsOf(test).words;
  return test.anchor !== "contains" && program !== undefined &&
    (mayAssign(program) || mayWrap(program, wrappers));
}

/** The parts of a pattern that are compared with those of others. */
interface Parts {
  readonly words: readonly Word[];
  /** The text behind the first piece, in lower case. */
  readonly rest: string;
  readonly isCompound: boolean;
  readonly isQuoted: boolean;
}

/** The parts of each pattern that was compared: one is compared with all others of a file. */
const parts = new WeakMap<CommandTest, Parts>();

function partsOf(test: CommandTest): Parts {
  const found = parts.get(test);
  if (found !== undefined) return found;
  const text = textOf(test.glob);
  const made: Parts = {
    words: wordsOf(test),
    rest: textOf(test.glob.slice(1)),
    isCompound: COMPOUND.test(text),
    isQuoted: QUOTED.test(text),
  };
  parts.set(test, made);
  return made;
}

/** The words before the first wildcard; empty ones stand for more than one space. */
function wordsOf({ glob }: CommandTest): readonly Word[] {
  const texts = literalHead(glob).split(" ");
  const isAll = glob.length <= 1;
  return texts.map((text, index) =>
    wordOf(text, isAll || index < texts.length - 1 ? "whole" : "open")
  )
    .filter(({ text }, index) => text !== "" || index > 0 && index < texts.length - 1);
}

function textOf(glob: Glob): string {
  return foldCase(glob.map((token) => token.kind === "text" ? token.text : " ").join(""));
}

/**
 * True if two words may be the same. Folders and case are ignored, as some file systems ignore case.
 */
function agree(one: Word, other: Word): boolean {
  const [first, second] = [one.name, other.name];
  if (one.isWhole && other.isWhole) return first === second;
  if (one.isWhole) return first.startsWith(second);
  return second.startsWith(first) || !other.isWhole && first.startsWith(second);
}

function wordOf(text: string, end: "whole" | "open"): Word {
  return { text, name: foldCase(text.replace(/^.*\//s, "")), isWhole: end === "whole" };
}

/**
 * True if a word may be an assignment before the program: it has a `=`, or a wildcard ends a name in capitals. `git*` counts as a
 * program, though it matches `gitX=1 rm` too: else an ask of that form would stand below every deny, and so below the allow
 * that it is to limit.
 */
function mayAssign({ text, isWhole }: Word): boolean {
  return text.includes("=") || !isWhole && /^(?:[A-Z_]\w*)?$/.test(text);
}

/** True if the word names a program that runs another one and needs no rule of its own, such as `time`. */
function mayWrap(word: Word, wrappers: readonly string[]): boolean {
  return wrappers.some((each) => agree(wordOf(each.split(" ")[0]!, "whole"), word)) ||
    isKnownWrapper(word);
}

/** The words of which the tables told that they may be wrappers, or that they are none. */
const knownWrappers = new WeakMap<Word, boolean>();

function isKnownWrapper(word: Word): boolean {
  const found = knownWrappers.get(word);
  if (found !== undefined) return found;
  const catalog = new ProgramCatalog();
  const names = word.isWhole
    ? [baseName(word.name)]
    : catalog.names.filter((each) => each.startsWith(word.name));
  const isOne = names.some((each) => hasTransparent(catalog.program(each)?.table));
  knownWrappers.set(word, isOne);
  return isOne;
}

function hasTransparent(table: ProgramTable | undefined): boolean {
  return table !== undefined &&
    (table.transparent === true || Object.values(table.sub ?? {}).some(hasTransparent));
}
