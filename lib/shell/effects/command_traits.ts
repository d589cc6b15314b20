import type { CommandClass } from "../../model/call.ts";
import type { CommandTraits } from "../effect.ts";
import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import { baseName, VERSION_FILES } from "../programs/program_catalog.ts";
import { commandClasses, inOrder, type TableClasses } from "../programs/command_classes.ts";
import type { Brought } from "./brought_files.ts";
import { interpreterClasses, ownFile } from "./code_classes.ts";
import type { Scope } from "./command_context.ts";
import type { LineState } from "./line_state.ts";
import { isOnHost, joinPath, mayBeOnHost } from "./folders.ts";
import { ownTraits } from "./own_traits.ts";
import { isHarmlessAssignment, type SimpleCommand } from "./simple_command.ts";

const UNKNOWN: readonly CommandClass[] = ["unknown"];

/** Files by which a search may look at hidden names. */
const IGNORE_FILES: readonly string[] = [".ignore", ".gitignore", ".rgignore", "exclude"];

/** The traits about a command by its text; its folder, its files and the programs of the machine may change its classes. */
export function commandTraits(
  command: SimpleCommand,
  { scope, isFed }: {
    /** The scope in which it finds its files. */
    readonly scope: Scope;
    /** True if the line gives it its standard input. */
    readonly isFed: boolean;
  },
): () => CommandTraits {
  const { context: { ownBinaries = false }, folders, line: { state } } = scope;
  const brought = state.brought.now;
  const areGlobsKnown = !(state.changesTree || state.globsMatchDots || state.makesLinks);
  const { words, node } = command;
  const given = node.redirects.flatMap(({ target }) => target ?? []);
  const isTold = state.variables.areKnown([...words, ...given]);
  let traits: CommandTraits | undefined;
  const about = { folders, state, isTold, isFed, ownBinaries, brought, areGlobsKnown };
  return () => traits ??= factsOf(command, about);
}

interface FactsContext {
  readonly folders: Scope["folders"];
  readonly state: LineState;
  /** True if its words show nothing of the environment. */
  readonly isTold: boolean;
  readonly ownBinaries: boolean;
  /** The files that earlier commands may have made. */
  readonly brought: Brought;
  /** True if the line gives it its standard input. */
  readonly isFed: boolean;
  /** True if globs may be looked up. */
  readonly areGlobsKnown: boolean;
}

function factsOf(
  command: SimpleCommand,
  context: FactsContext,
): CommandTraits {
  const { folders, state, isTold, isFed, ownBinaries, brought } = context;
  const { program, reading: { onlyPrints } } = command;
  const own = ownClasses(command, context);
  const file = ownFile(command, { folders, state });
  const found = classesWith(tableClasses(command, state), { command, folders, isFed, state });
  const isUnknown = typeof found === "string";
  const config = isUnknown ? [] : found.config;
  const mayBeShown = state.brought.mayHave(IGNORE_FILES, brought);
  const searches = isUnknown ? undefined : searchedFolders(found, {
    folders,
    mayBeFilled: brought.isAny || brought.inIndex && !isUnknown && found.inRepository === true,
    mayBeShown,
    areGlobsKnown: context.areGlobsKnown,
  });
  const operands = isUnknown ? undefined : pathsOf(found.operands, folders);
  const singles = isUnknown ? [] : globsOf(found.singles, context);
  return {
    classes: isUnknown
      ? UNKNOWN
      : isTold
      ? found.classes
      : inOrder(new Set([...found.classes, "secret"])),
    ...(isUnknown ? { whyUnknown: found } : isTold ? {} : { byTable: found.classes }),
    isTold,
    isDescribed: program !== undefined || onlyPrints === "direct",
    ...(onlyPrints === "direct" ? { isDirect: true as const } : {}),
    isBuiltin: program?.table.builtin === true,
    folders: folders.paths,
    open: folders.open,
    ...(operands ? { operands } : {}),
    reads: readFiles(command, folders),
    config,
    mayBeConfigured: state.brought.mayHave(config, brought),
    ...(state.brought.mayHave(VERSION_FILES, brought) ? { mayBeVersioned: true as const } : {}),
    ...(!isUnknown && found.binary ? { binary: found.binary } : {}),
    isOwnBinary: ownBinaries,
    ...(own || file ? { operands: [], searches: [] } : {}),
    ...(own ? { own } : {}),
    ...(file ? { ownFile: file } : {}),
    ...(!isUnknown && found.isInterpreter ? { isInterpreter: true as const } : {}),
    ...(searches ? { searches } : {}),
    ...(singles ? { singles } : {}),
    ...(!isUnknown && found.git ? { git: found.git } : {}),
    ...(!isUnknown && found.redirects ? { redirects: true } : {}),
    ...(!isUnknown && found.starts.length > 0 ? { starts: found.starts } : {}),
    ...(!isUnknown && found.home ? { home: found.home } : {}),
  };
}

/** The classes that the policy gives a command of a program without a table. */
function ownClasses(
  { words, node, program }: SimpleCommand,
  { state, isTold, isFed }: FactsContext,
): CommandTraits["own"] {
  const { catalog, hasFunctions } = state;
  if (catalog.ownCommands.length === 0 || hasFunctions || isFed || !isTold) return undefined;
  const isPath = words[0]!.shape.includes("/");
  if (program !== undefined && !isPath) return undefined;
  const isPlain = node.assignments.every((each) => isHarmlessAssignment(each, catalog));
  return isPlain ? ownTraits(words, catalog.ownCommands) : undefined;
}

/** Classes of commands that may do what their standard input says. */
const OBEYS_INPUT: ReadonlySet<CommandClass> = new Set(["repository", "project"]);

/** Kinds of uses that are files. */
const NAMES_FILE: ReadonlySet<string> = new Set(["read", "write", "output", "fill"]);

/** Programs that ask the system about the files that they name, and open none. */
const ASKS_ABOUT: ReadonlySet<string> = new Set([
  "cd",
  "pushd",
  "ls",
  "dir",
  "vdir",
  "stat",
  "du",
  "df",
  "tree",
  "test",
  "[",
  "readlink",
  "realpath",
  "namei",
  "fd",
  "pathchk",
]);

/** The classes of a command with those that its standard input and the places of its files give it. */
function classesWith(
  found: TableClasses | string,
  { command: { words, reading, node }, folders: { paths }, isFed, state }:
    & Pick<FactsContext, "folders" | "isFed" | "state">
    & { readonly command: SimpleCommand },
): TableClasses | string {
  if (typeof found === "string") return found;
  if (isFed && found.classes.some((each) => OBEYS_INPUT.has(each))) {
    return "its standard input may say what it does";
  }
  const asked = ASKS_ABOUT.has(baseName(words[0]!.shape)) ? words.slice(1) : [];
  const places = [
    ...reading.uses.filter(({ kind }) => NAMES_FILE.has(kind)).map(({ value }) => value),
    ...reading.folders,
    ...found.searches,
    ...node.redirects.flatMap(({ operator, target }) =>
      target && !operator.startsWith("<<") ? target : []
    ),
    ...asked,
  ].flatMap((word) => alternativesOf(word));
  const isElsewhere = paths.some(isOnHost) ||
    places.some(({ shape, glob = shape }) =>
      paths.some((folder) => isOnHost(joinPath(folder, glob)))
    ) || asked.some(({ shape, glob }) => glob === undefined && mayBeOnHost(shape, state.setsHost));
  return isElsewhere
    ? { ...found, classes: inOrder(new Set([...found.classes, "service"])) }
    : found;
}

/** The classes by the tables, or the reason why they are unknown. */
function tableClasses(command: SimpleCommand, state: LineState): TableClasses | string {
  const found = namedClasses(command, state);
  return typeof found === "string" && isOfSystem(command.words[0]!.shape)
    ? interpreterClasses(command, state) ?? found
    : found;
}

function namedClasses(
  { words, node, program, reading }: SimpleCommand,
  state: LineState,
): TableClasses | string {
  const name = words[0]!.shape;
  if (program === undefined && !reading.onlyPrints) return "no table describes the program";
  if (state.hasFunctions) return "the line defines functions or aliases";
  if (!isOfSystem(name)) return "the program is named by a path outside the folders of the system";
  if (program?.table.unclassed?.includes(baseName(name))) {
    return "another program of that name does something else";
  }
  if (!node.assignments.every((each) => isHarmlessAssignment(each, state.catalog))) {
    return "a variable before the command may change what it does";
  }
  return commandClasses(words, reading);
}

/** True for a bare name, and for a path in a folder of the system. */
function isOfSystem(name: string): boolean {
  return !name.includes("/") ||
    /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);
}

/** Words as paths, in each folder that the command may run in; undefined if one is not fixed. */
function pathsOf(
  operands: readonly Word[],
  { paths, open }: Scope["folders"],
): readonly string[] | undefined {
  const words = operands.flatMap((word): readonly Word[] => alternativesOf(word));
  const isOpen = words.some(({ shape, splits, glob }) =>
    !isFixed(shape) || splits || glob !== undefined || open && !/^[/~]/.test(shape)
  );
  if (isOpen) return undefined;
  return words.flatMap(({ shape }) => paths.map((folder) => joinPath(folder, shape)));
}

/** Globs, in each folder that the command may run in; undefined if they cannot be looked up. */
function globsOf(
  words: readonly Word[],
  { folders: { paths, open }, areGlobsKnown }: Pick<FactsContext, "folders" | "areGlobsKnown">,
): readonly string[] | undefined {
  if (words.length === 0) return [];
  if (!areGlobsKnown || open) return undefined;
  return words.flatMap(({ glob = "" }) => paths.map((folder) => joinPath(inGlob(folder), glob)));
}

/** A path as part of a glob. */
function inGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** The folders that are searched whole, in each folder that the command may run in; undefined if one is not fixed. */
function searchedFolders(
  { searches, skipsHidden, followsLinks, endings, inRepository }: TableClasses,
  { folders: { paths, open }, mayBeFilled, mayBeShown, areGlobsKnown }: {
    readonly folders: Scope["folders"];
    /** True if earlier commands may bring files of any name. */
    readonly mayBeFilled: boolean;
    /** True if they may show hidden names to it. */
    readonly mayBeShown: boolean;
    /** True if globs may be looked up. */
    readonly areGlobsKnown: boolean;
  },
): CommandTraits["searches"] {
  const words = searches.flatMap((word): readonly Word[] => alternativesOf(word));
  const mayLookUp = areGlobsKnown && !open && !inRepository;
  const isOpen = words.some(({ shape, splits, glob }) =>
    glob !== undefined ? !mayLookUp : !isFixed(shape) || splits || open && !/^[/~]/.test(shape)
  );
  if (isOpen) return undefined;
  return words.flatMap(({ shape, glob }) =>
    paths.map((folder) => ({
      ...(glob === undefined
        ? { path: joinPath(folder, shape) }
        : { path: joinPath(inGlob(folder), glob), isGlob: true as const }),
      skipsHidden: skipsHidden && !mayBeShown,
      ...(followsLinks ? { followsLinks } : {}),
      ...(endings ? { endings } : {}),
      ...(mayBeFilled ? { mayBeFilled } : {}),
      ...(inRepository ? { inRepository: shape === "" ? "all" as const : "below" as const } : {}),
    }))
  );
}

/** The files that a command reads by its words and its redirections, from each folder that it may run in. */
function readFiles(
  { node, reading: { uses } }: SimpleCommand,
  { paths }: Scope["folders"],
): CommandTraits["reads"] {
  const words = [
    ...uses.filter(({ kind }) => kind === "read").flatMap(({ value, from = [] }) => [
      ...alternativesOf(value),
      ...from.flatMap((folder) =>
        alternativesOf(value).map((word) => ({
          ...word,
          shape: joinPath(folder.shape, word.shape),
        }))
      ),
    ]),
    ...node.redirects.filter(({ operator }) => /^<>?$/.test(operator))
      .flatMap(({ target }) => target ? alternativesOf(target) : []),
  ];
  return words.flatMap(({ shape, glob }) => {
    const isGlob = !isFixed(shape) && glob !== undefined;
    return paths.map((folder) => ({ text: joinPath(folder, isGlob ? glob : shape), isGlob }));
  });
}
