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
  const [own, other] = [wordsOf(first), wordsOf(second)];
  const [one, program, next] = [own[0], other[0], other[1]];
  if (one === undefined || program === undefined) return true;
  const text = textOf(first.glob);
  if (COMPOUND.test(text) || COMPOUND.test(textOf(second.glob)) || QUOTED.test(text)) return true;
  if (QUOTED.test(program.text) || mayAssign(one) || mayAssign(program)) {
    return true;
  }
  if (mayWrap(program, wrappers) || !isAllow && mayWrap(one, wrappers)) return true;
  const name = nameOf(program);
  const rest = textOf(first.glob.slice(1));
  if (own.slice(1).some((word) => agree(word, program)) || rest.includes(name)) return true;
  if (!agree(one, program)) return false;
  const behind = own[1];
  const isUnsure = (word: Word | undefined) =>
    word === undefined || /^-|^$|["'\\~]/.test(word.text);
  return isUnsure(behind) || isUnsure(next) || agree(behind!, next!);
}

/** True if a pattern may match any command of an allow rule, because it begins with a wrapper such as `time` or a variable. */
export function mayPrecedeCommands(test: CommandTest, wrappers: readonly string[]): boolean {
  const [program] = wordsOf(test);
  return test.anchor !== "contains" && program !== undefined &&
    (mayAssign(program) || mayWrap(program, wrappers));
}

/** The words before the first wildcard; empty ones stand for more than one space. */
function wordsOf({ glob }: CommandTest): readonly Word[] {
  const texts = literalHead(glob).split(" ");
  const isAll = glob.length <= 1;
  return texts.map((text, index) => ({ text, isWhole: isAll || index < texts.length - 1 }))
    .filter(({ text }, index) => text !== "" || index > 0 && index < texts.length - 1);
}

function textOf(glob: Glob): string {
  return foldCase(glob.map((token) => token.kind === "text" ? token.text : " ").join(""));
}

/**
 * True if two words may be the same. Folders and case are ignored, as some file systems ignore case.
 */
function agree(one: Word, other: Word): boolean {
  const [first, second] = [nameOf(one), nameOf(other)];
  if (one.isWhole && other.isWhole) return first === second;
  if (one.isWhole) return first.startsWith(second);
  return second.startsWith(first) || !other.isWhole && first.startsWith(second);
}

function nameOf({ text }: Word): string {
  return foldCase(text.replace(/^.*\//s, ""));
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
  const name = nameOf(word);
  if (wrappers.some((each) => agree({ text: each.split(" ")[0]!, isWhole: true }, word))) {
    return true;
  }
  const catalog = new ProgramCatalog();
  const names = word.isWhole
    ? [baseName(name)]
    : catalog.names.filter((each) => each.startsWith(name));
  return names.some((each) => hasTransparent(catalog.program(each)?.table));
}

function hasTransparent(table: ProgramTable | undefined): boolean {
  return table !== undefined &&
    (table.transparent === true || Object.values(table.sub ?? {}).some(hasTransparent));
}
