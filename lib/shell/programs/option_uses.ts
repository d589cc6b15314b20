import { fixedWord, HOLE, isFixed, type Word } from "../parse/tree.ts";
import { gitFiles, searchedFiles, sentFiles } from "./file_patterns.ts";
import { isHarmlessValue } from "./program.ts";
import type { OptionList, ProgramTable } from "./program_table.ts";
import { type Level, type ProgramUse, unknownUse, withPrefixedFiles } from "./program_use.ts";
import type { OptionUse } from "./read_options.ts";
import { scriptUses } from "../scripts/script_uses.ts";

/** The reason why a dangerous word is unknown. */
export const RUNS_OR_CHANGES = "it runs or changes something that the rule does not name";

const SENDS = "it sends a file that the rule does not name";

/** The files that the value of an option stands for. */
function sentUses(value: Word, about: Omit<ProgramUse, "kind">): readonly ProgramUse[] {
  return sentFiles(value).map((file) => ({ kind: "read", ...about, value: file }));
}

/** A colon before the first slash, or an unknown piece that may hold one. */
const HOST = new RegExp(`^[^/]*[:${HOLE}]`);

/** The surroundings of an option. */
export interface OptionContext {
  readonly table: ProgramTable;
  /** True if the command only reads its archive. */
  readonly readsArchive: boolean;
}

/** The options before the command of a program whose options are unknown. */
export function unknownOptions(
  words: readonly Word[],
  { from, args: { operands } }: Level,
): readonly ProgramUse[] {
  const uses: ProgramUse[] = [];
  for (let last = from; last < (operands[0] ?? words.length); last++) {
    uses.push(unknownUse(words, { last, why: "its options are unknown" }));
  }
  return uses;
}

/** The words that may be any option, of which one may run or write something. */
export function possibleOptions(
  words: readonly Word[],
  { args: { possibleOptions: hidden, operands }, program: { table } }: Level,
): readonly ProgramUse[] {
  const uses: ProgramUse[] = [];
  for (const last of hidden) {
    const isOperand = table.binary?.includes(words[last + 1]?.shape ?? "");
    if (isOperand && !words[last]!.splits) continue;
    const isSub = table.sub !== undefined && last === operands[0];
    const why = isSub
      ? "its subcommand comes from a variable or substitution"
      : "an argument is not fixed, and may be an option that runs or writes something";
    uses.push(unknownUse(words, { last, why }));
  }
  return uses;
}

/** The uses of an option besides the program's purpose; undefined if it certainly does nothing. */
export function optionUses(
  use: OptionUse,
  { table, readsArchive }: OptionContext,
): readonly ProgramUse[] | undefined {
  const { option, value } = use;
  const decides = value !== undefined || option.takes === "glued";
  if (decides && isHarmlessValue(option, { value: value ?? "", table })) return undefined;
  const fixed = table.fixed_files?.[option.name];
  const uses = option.lists.flatMap((list) =>
    usesBy(list === "archive" ? readsArchive ? "read" : "write" : list, { use, table })
  );
  if (fixed === undefined) return uses;
  const { last, word } = use;
  return [...uses, { kind: "read", text: word.raw, lastWord: last, value: fixedWord(fixed) }];
}

function usesBy(
  list: Exclude<OptionList, "archive">,
  { use, table }: { use: OptionUse; table: ProgramTable },
): readonly ProgramUse[] {
  const { option, last, value, word } = use;
  const given: Word = value === undefined ? word : { ...word, shape: value, text: value };
  const text = value === undefined ? option.name : `${option.name} ${word.raw}`;
  const about = { text, lastWord: last, value: given };
  const unknown = (why: string): readonly ProgramUse[] => [{ kind: "unknown", why, ...about }];
  switch (list) {
    case "read":
    case "write":
    case "output":
    case "url":
    case "run":
      if (value === undefined && option.takes === "glued") return [];
      if (table.pathspecs && list === "read") {
        return gitFiles(given).map((file) => ({ kind: list, ...about, ...file }));
      }
      return table.tails
        ? withPrefixedFiles({ kind: list, ...about }, RUNS_OR_CHANGES)
        : [{ kind: list, ...about }];
    case "sends":
      return /^[@\uF8FF\uF8FE]/.test(given.shape)
        ? [...sentUses(given, about), ...unknown(SENDS)]
        : [];
    case "fields": {
      const isText = isFixed(given.shape) && !/[@<]/.test(given.shape);
      return isText ? [] : [...sentUses(given, about), ...unknown(SENDS)];
    }
    case "code":
    case "acts":
      return unknown(RUNS_OR_CHANGES);
    case "commands":
      return value === undefined ? [] : unknown(RUNS_OR_CHANGES);
    case "script_options":
      return scriptUses(given, { language: table.language, text, last, isLast: false });
    case "in_place":
      // The suffix of the backup may lead to another folder.
      return value !== undefined && /[/*]/.test(value) ? unknown(RUNS_OR_CHANGES) : [];
    case "hosts":
      return HOST.test(value ?? "") ? unknown("it may be on another machine") : [];
    case "marks":
      return isFixed(value ?? "") ? [] : unknown("the text that it replaces is not fixed");
    case "globs":
      return searchedFiles(given).map((file) => ({
        kind: "read",
        ...about,
        ...file,
        isBound: true,
      }));
    case "listed":
      return [{ kind: "read", ...about, value: { ...given, shape: HOLE } }];
    case "anywhere":
      return [{ kind: "url", ...about, value: { ...given, shape: `http://${HOLE}` } }];
    case "hidden":
    case "into":
    case "relinks":
    case "copies":
    case "unpacks":
    case "fills":
    case "saves":
    case "sweeps":
    case "skips":
    case "stays":
    case "renames":
    case "descends":
    case "value":
    case "flags":
    case "reads":
    case "prompts":
    case "nothing":
      return [];
  }
}
