import { HOLE, isFixed, type Word } from "../parse/tree.ts";
import { fitsGlob } from "./program.ts";
import type { ProgramTable } from "./program_table.ts";
import type { ProgramUse } from "./program_use.ts";
import type { Arguments, OptionUse } from "./read_options.ts";

/** The options before a sub-command or first operand, as an allow rule may overlook them. */
export interface GlobalOptions {
  /** The indices of words that change only how the output looks. */
  readonly dropped: readonly number[];
  /** The indices of words that could also stand at the end of the command. */
  readonly moved: readonly number[];
  /** The folder that the program changes to first; absent if it stays. */
  readonly folder?: Word;
  /** The index of the last of these words that else is unknown: a rule in their own order must name it. */
  readonly covered?: number;
}

/** The options before a subcommand that an allow rule may overlook, the folder that one of them enters, and the other uses. */
export function readGlobalOptions(
  words: readonly Word[],
  { args: { operands, options }, table, uses }: {
    args: Arguments;
    table: ProgramTable;
    uses: ProgramUse[];
  },
): {
  readonly overlooked: GlobalOptions | undefined;
  readonly enters: Word | undefined;
  readonly uses: ProgramUse[];
} {
  if ((operands[0] ?? 1) === 1 && options.length === 0) {
    return { overlooked: undefined, enters: undefined, uses };
  }
  const enters = enteredFolder(options, table);
  const first = operands[0];
  const overlooked = first === undefined
    ? undefined
    : globalOptions(words, { table, from: 1, first });
  if (!overlooked?.folder) return { overlooked, enters, uses };
  // A rule that fits with the folder at the end covers it, as it would behind `cd`.
  const isCovered = ({ kind, lastWord }: ProgramUse) => kind === "unknown" && lastWord < first!;
  const covered = uses.filter(isCovered).map(({ lastWord }) => lastWord);
  return {
    overlooked: covered.length === 0
      ? overlooked
      : { ...overlooked, covered: Math.max(...covered) },
    enters,
    uses: uses.filter((use) => !isCovered(use)),
  };
}

/** The folder that an option of the table enters, fixed or not; the last of several. */
function enteredFolder(
  options: readonly OptionUse[],
  { enters = [] }: ProgramTable,
): Word | undefined {
  if (options.length === 0) return undefined;
  const names = enters.map((entry) => entry.split(/[ =]/)[0]);
  const found = options.filter(({ option, value }) =>
    names.includes(option.name) && value !== undefined
  );
  const last = found.at(-1);
  if (last === undefined) return undefined;
  // Folders that begin in each other are not followed.
  const value = found.length > 1 ? HOLE : last.value!;
  return { ...last.word, text: value, shape: value };
}

/**
 * The options from the word at `from` up to the one at `first`; undefined unless the table names each of them: then a rule
 * is tried only on the words in their own order.
 */
function globalOptions(
  words: readonly Word[],
  { table, from, first }: { table: ProgramTable; from: number; first: number },
): GlobalOptions | undefined {
  const dropped: number[] = [];
  const moved: number[] = [];
  let folder: Word | undefined;
  for (let at = from; at < first;) {
    const one = words[at]!;
    const next = at + 1 < first ? words[at + 1] : undefined;
    const listed = (list: readonly string[] | undefined) =>
      (list ?? []).map((entry) => sizeOf(entry, { one, next })).find((size) => size > 0);
    const drops = listed(table.drops);
    const enters = drops === undefined ? listed(table.enters) : undefined;
    const size = drops ?? enters ?? listed(table.moves);
    if (size === undefined) return undefined;
    const indices = Array.from({ length: size }, (_, index) => at + index);
    (drops === undefined ? moved : dropped).push(...indices);
    if (enters !== undefined) {
      // A second folder begins in the first one.
      if (folder !== undefined) return undefined;
      folder = size === 2 ? next! : valueOf(one);
      if (!isBelow(folder.shape)) return undefined;
    }
    at += size;
  }
  if (dropped.length + moved.length === 0) return undefined;
  return { dropped, moved, ...(folder ? { folder } : {}) };
}

/** The number of words that an entry of a list matches: `--no-pager`, `--color=*`, `-n *`; 0 for none. */
function sizeOf(entry: string, { one, next }: { one: Word; next: Word | undefined }): number {
  const [name, value] = entry.split(" ");
  if (value === undefined) return matches(entry, one) ? 1 : 0;
  return next !== undefined && one.shape === name && !next.shape.startsWith("-") &&
      matches(value, next)
    ? 2
    : 0;
}

/** True if a glob of a list matches a word that the line fixes, without blanks. */
function matches(text: string, { shape, splits }: Word): boolean {
  if (!isFixed(shape) || splits || !/^[^\s*?[\]{}]+$/.test(shape)) return false;
  return fitsGlob(text, shape);
}

function valueOf({ shape, ...rest }: Word): Word {
  const value = shape.slice(shape.indexOf("=") + 1);
  return { ...rest, text: value, shape: value };
}

/** True for a path below the current folder; links are left to the evaluation. */
function isBelow(path: string): boolean {
  return path !== "" && !/^[/~]|(?:^|\/)\.\.(?:\/|$)|\\/.test(path);
}
