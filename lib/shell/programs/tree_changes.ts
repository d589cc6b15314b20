import { ANY_NAME } from "../../pattern/path/shell_glob.ts";
import { fixedWord, isFixed, type Word } from "../parse/tree.ts";
import { ALWAYS, type Program } from "./program.ts";
import type { OptionList, ProgramTable } from "./program_table.ts";
import type { CommandReading, ProgramUse } from "./program_use.ts";
import { hiddenFiles, openWord } from "./file_patterns.ts";
import { placedFiles, spilledFiles } from "./placed_files.ts";
import type { Arguments } from "./read_options.ts";

/** The words of a command, sorted by its table. */
export interface SortedCommand {
  readonly words: readonly Word[];
  readonly program: Program;
  readonly args: Arguments;
  /** Its uses so far. */
  readonly uses: readonly ProgramUse[];
}

/** The changes of a command to files that its words do not name, and to links. */
export interface TreeChanges {
  readonly uses: readonly ProgramUse[];
  readonly relinks?: NonNullable<CommandReading["relinks"]>;
}

/** The changes of a command to files whose names come from an archive, a patch, a repository or a URL. */
export function treeChanges(command: SortedCommand): TreeChanges {
  if (changesNothing(command)) return NOTHING;
  const changes = withBeside(namedChanges(command), command);
  const { words, args } = command;
  const hidden = args.options.filter(({ option }) => option.lists.includes("hidden"));
  // The first `-u` of rg only searches ignored files.
  const isHidden = hidden.some(({ option }) => !ONCE.test(option.name)) || hidden.length > 1;
  if (!isHidden) return changes;
  const word = words[hidden[0]!.first]!;
  const files = hiddenFiles(word).map((file) => ({
    ...use(command, { kind: "read", value: file.value }),
    ...file,
    text: word.raw,
  }));
  return { ...changes, uses: [...changes.uses, ...files] };
}

const NOTHING: TreeChanges = { uses: [] };

/** True if neither a table nor the options that are given bring any such change. */
function changesNothing({ words, program, args: { options }, uses }: SortedCommand): boolean {
  if (program.table.endings !== undefined || program.changesAlways) return false;
  for (let at = 0; at < options.length; at++) {
    const { option, first, last, value } = options[at]!;
    if (option.changes) return false;
    if (value === undefined || last === first) continue;
    const { glob, splits } = words[last]!;
    if (glob !== undefined || splits) return false;
  }
  if (uses.length < 2) return true;
  // A program that reads and writes may place what it reads under its name.
  return !uses.some(({ kind }) => kind === "read") || !uses.some(({ kind }) => kind === "write");
}

function withBeside(changes: TreeChanges, command: SortedCommand): TreeChanges {
  const { words, program: { table }, args, uses } = command;
  const all = [
    filesBeside(command),
    placedFiles({ table, uses }),
    spilledFiles({ words, table, args }),
  ];
  return all.every(({ length }) => length === 0)
    ? changes
    : { ...changes, uses: [...changes.uses, ...all.flat()] };
}

const ONCE = /^(?:-u|--unrestricted)$/;

function namedChanges(command: SortedCommand): TreeChanges {
  const { program: { table }, args } = command;
  const isGiven = (list: OptionList) =>
    args.options.some(({ option }) => option.lists.includes(list));
  const has = (list: OptionList) => table[list]?.includes(ALWAYS) === true || isGiven(list);
  if (has("skips") || has("stays") && args.operands.length === 0) return { uses: [] };
  const unpacks = has("unpacks");
  const isUnnamed = !command.uses.some(writesNamed);
  const uses = unpacks
    ? targetFolders(command).map((value) => use(command, { kind: "fill", value }))
    : isGiven("sweeps") || has("sweeps") && isUnnamed
    ? [sweptFiles(command)]
    : has("fills") || has("relinks") && isUnnamed
    ? targetFolders(command).map((value) => ({
      ...use(command, { kind: "write", value: someFileIn(value) }),
      ...(has("fills") ? {} : { inTree: true as const }),
    }))
    : has("saves")
    ? savedFiles(command)
    : [];
  const relinks = unpacks || has("relinks") ? "tree" : has("copies") ? "written" : undefined;
  return relinks ? { uses, relinks } : { uses };
}

/** True for a use that writes files which the words name. */
function writesNamed({ kind }: ProgramUse): boolean {
  return kind === "write" || kind === "fill";
}

/** The files of a work tree, of which its operands name none. */
function sweptFiles(command: SortedCommand): ProgramUse {
  const swept = use(command, { kind: "fill", value: fixedWord(".") });
  return command.program.table.pathspecs ? { ...swept, fromRoot: true } : swept;
}

/** A file whose name the program chooses. */
function someFileIn(folder: Word): Word {
  return isFixed(folder.shape) ? fixedWord(below(folder.shape, UNNAMED)) : folder;
}

/** The name of a file whose name the program chooses: one that no rule spells. */
export const UNNAMED = "…";

/** The folders that a command fills: those that its options name, or the one that it runs in. */
function targetFolders({ args }: SortedCommand): readonly Word[] {
  const named = args.options.flatMap(({ option, value, word }) =>
    option.lists.includes("into") && value !== undefined
      ? [{ ...word, shape: value, text: value }]
      : []
  );
  return named.length > 0 ? named : [fixedWord(".")];
}

/** The files that a command names after its URLs (`wget URL`, `curl -O URL`); a folder where the line does not fix the name. */
function savedFiles(command: SortedCommand): readonly ProgramUse[] {
  const urls = command.uses.filter(({ kind }) => kind === "url");
  return targetFolders(command).flatMap((folder) =>
    urls.map(({ value: url }) => {
      const name = savedName(url);
      const value = name !== undefined && isFixed(folder.shape)
        ? fixedWord(below(folder.shape, name))
        : someFileIn(folder);
      return use(command, { kind: "write", value });
    })
  );
}

function below(folder: string, name: string): string {
  return folder === "." ? name : `${folder.replace(/\/+$/, "")}/${name}`;
}

/** The last segment of a URL's path; undefined if the line does not fix it, or the server chooses the name. */
function savedName({ shape, text, glob, splits }: Word): string | undefined {
  // A "?" is a wildcard too; a shell that finds no such file hands over the text.
  const url = glob === undefined ? shape : text;
  // curl itself expands braces and brackets.
  if (splits || !isFixed(url) || /[{}[\]]/.test(url)) return undefined;
  const path = url.replace(/^[A-Za-z][A-Za-z0-9+.-]*:\/\//, "").replace(/[?#].*$/s, "");
  const name = /\/([^/]+)$/.exec(path)?.[1];
  return name === undefined || /^\.{1,2}$|%/.test(name) ? undefined : name;
}

function use(
  { words }: SortedCommand,
  { kind, value }: Pick<ProgramUse, "kind" | "value">,
): ProgramUse {
  return { kind, text: value.raw, value, lastWord: words.length - 1 };
}

/** The files beside those that a command writes, which it names by their endings: `gunzip x.gz` writes `x`. */
function filesBeside({ program: { table }, args, uses }: SortedCommand): readonly ProgramUse[] {
  const { endings } = table;
  if (endings === undefined) return [];
  const has = (list: "renames" | "descends") =>
    args.options.some(({ option }) => option.lists.includes(list));
  const written = uses.filter(({ kind }) => kind === "write");
  return written.flatMap((use) => {
    const folders = [
      ...(has("renames") ? [folderOf(use.value)] : []),
      ...(has("descends") ? [use.value] : []),
    ];
    return [
      ...namesBeside(use.value, endings).map((value) =>
        value.glob === undefined ? { ...use, value } : { ...use, value, isPattern: true as const }
      ),
      ...folders.map((value) => ({ ...use, value, kind: "fill" as const })),
    ];
  });
}

/** The names that other endings give to a file. */
function namesBeside(
  word: Word,
  endings: NonNullable<ProgramTable["endings"]>,
): readonly Word[] {
  if (word.glob !== undefined) {
    const folder = word.glob.slice(0, word.glob.lastIndexOf("/") + 1);
    return [{ ...openWord(word), splits: false, glob: folder + ANY_NAME }];
  }
  const { shape } = word;
  if (!isFixed(shape)) return [];
  return Object.entries(endings).filter(([end]) => shape.endsWith(end)).flatMap(([end, others]) =>
    others.map((other) => fixedWord(shape.slice(0, shape.length - end.length) + other))
  );
}

function folderOf(word: Word): Word {
  if (!isFixed(word.shape)) return openWord(word);
  const { shape } = word;
  const slash = shape.replace(/\/+$/, "").lastIndexOf("/");
  return fixedWord(slash < 0 ? "." : shape.slice(0, slash + 1));
}
