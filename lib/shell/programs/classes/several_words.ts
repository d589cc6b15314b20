import { HOLE, isFixed, NAME, type Word } from "../../parse/tree.ts";
import { operandKinds } from "../inner_command.ts";
import type { Level } from "../program_use.ts";
import type { OptionUse } from "../read_options.ts";

/** Words of a command that may become several, so that those behind the first are arguments that its table was not asked about. */
export interface SeveralWords {
  /** The first of those that no look at the machine tells apart. */
  readonly unknown: Word | undefined;
  /** Globs that leave the other words their roles where they name one file at most. */
  readonly globs: readonly Word[];
}

const NONE: SeveralWords = { unknown: undefined, globs: [] };

/** The words of the levels of a command that may become several, and give words roles that its tables do not. */
export function severalWords(words: readonly Word[], levels: readonly Level[]): SeveralWords {
  if (levels.length === 1) return manyOf(words, levels[0]!);
  let all: readonly Word[] = NONE.globs;
  for (const level of levels) {
    const found = manyOf(words, level);
    if (found.unknown) return found;
    if (found.globs.length > 0) all = [...all, ...found.globs];
  }
  return all.length === 0 ? NONE : { unknown: undefined, globs: all };
}

/** True if there are such words. */
export function mayBeSeveral(words: readonly Word[], levels: readonly Level[]): boolean {
  const { unknown, globs } = severalWords(words, levels);
  return unknown !== undefined || globs.length > 0;
}

function manyOf(words: readonly Word[], level: Level): SeveralWords {
  const { args: { operands, options }, from, program: { table } } = level;
  // The words behind a wrapper have been looked at as its command.
  if (table.any_words || table.inner) return NONE;
  const end = table.sub ? operands[0] ?? words.length : words.length;
  let roles: ReadonlyMap<number, number> | undefined;
  const globs: Word[] = [];
  for (let at = from; at < end; at++) {
    const word = words[at]!;
    if (!maySplit(word) && word.glob === undefined || isOfCommand(at, options)) continue;
    roles ??= new Map(operands.map((each, index) => [each, index]));
    const index = roles.get(at);
    if (index !== undefined) {
      const kind = steadyKind(index, level);
      // The rules about files see a glob and its names, and never allow a word that is not fixed.
      if (kind !== undefined && (word.glob !== undefined || NAMES_FILE.test(kind))) continue;
    } else if (word.glob !== undefined && namesOption(word, level)) continue;
    const isValue = index !== undefined ||
      options.some(({ first, last }) => first < at && at <= last);
    if (word.glob === undefined || !isValue) return { unknown: word, globs };
    globs.push(word);
  }
  return globs.length === 0 ? NONE : { unknown: undefined, globs };
}

/** Kinds of operands that rules about files and URLs decide. */
const NAMES_FILE = /^(?:read|write|output|move|restored|folder|list|url)$/;

/** True if a word that is no glob may become several; the name of an object that git prints stays one. */
function maySplit({ shape, splits, glob, isWild, raw }: Word): boolean {
  // `$!` is no word without a command in the background.
  if (raw.includes("$!") && /^[^"]*\$!/.test(raw)) return true;
  if (glob !== undefined || !splits && !isWild) return false;
  if (isWild || shape.includes(HOLE)) return true;
  const rest = raw.replace(OBJECT_NAME, "");
  return shape.includes(NAME) && (rest === raw || /[$`]/.test(rest));
}

/** A substitution that prints the name of one object. */
const OBJECT_NAME =
  /\$\(git (?:merge-base|hash-object|write-tree|rev-parse(?: --(?:short|verify|quiet))*)(?: (?!-)[\w./@~^-]+)*\)/g;

/** True for a word of a command behind an option such as `-exec`, which is looked at by itself. */
function isOfCommand(at: number, options: readonly OptionUse[]): boolean {
  return options.some(({ option, first, last }) =>
    option.lists.includes("commands") && first < at && at <= last
  );
}

/** True if each name that a glob stands for is the same option with a value: `--include=*.ts`. */
function namesOption({ shape }: Word, { program: { table: { style } } }: Level): boolean {
  const name = /^[^=]*(?==)/.exec(shape)?.[0] ?? "";
  return isFixed(name) && (style === "words" ? /^-./ : /^--./).test(name);
}

/** The kind of an operand, if it and the other operands keep their kinds where it becomes two; undefined if not. */
function steadyKind(
  index: number,
  { args: { operands, options }, program: { table } }: Level,
): string | undefined {
  const now = operandKinds(table, { options, count: operands.length });
  const then = operandKinds(table, { options, count: operands.length + 1 });
  const isSteady = then[index] === now[index] &&
    operands.every((_, each) => now[each] === then[each < index ? each : each + 1]);
  return isSteady ? now[index] : undefined;
}
