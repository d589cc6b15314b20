import type { CommandClass } from "../../model/call.ts";
import type { CommandTraits } from "../effect.ts";
import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import { baseName } from "../programs/program_catalog.ts";
import { VERSION_FILES } from "../programs/version_files.ts";
import { commandClasses, type TableClasses } from "../programs/command_classes.ts";
import { inOrder } from "../programs/classes/class_set.ts";
import { type Brought, keepsFiles, mayLack } from "./brought_files.ts";
import { interpreterClasses, ownFile } from "./code_classes.ts";
import type { Scope } from "./command_context.ts";
import type { LineState } from "./line_state.ts";
import { globsOf, isOnHost, joinPath, mayBeOnHost, pathsOf, searchedFolders } from "./folders.ts";
import { isHandedOn } from "./redirect_effects.ts";
import { ownTraits } from "./own_traits.ts";
import { isHarmlessAssignment } from "./texts/assignment_kind.ts";
import type { SimpleCommand } from "./simple_command.ts";

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
  const { context: { ownBinaries }, folders, line: { state } } = scope;
  const brought = state.brought.now;
  const changesTree = state.treeSoFar();
  const mayLookUp = !state.globsMatchDots && !state.makesLinks;
  const earlier = state.earlier.length;
  let traits: CommandTraits | undefined;
  const found = () =>
    traits ??= factsOf(command, {
      folders,
      state,
      isTold: isTold(command, state),
      isFed,
      isHandedOn: isHandedOn(command, scope),
      ownBinaries,
      brought,
      earlier,
      areGlobsKnown: mayLookUp && !changesTree(),
    });
  // The command that a wrapper runs counts by itself.
  if (command.program?.table.transparent !== true) state.earlier.push(() => keepsFiles(found()));
  return found;
}

/** True if the words and redirections of a command show nothing of the environment. */
function isTold({ words, node }: SimpleCommand, { variables }: LineState): boolean {
  const given = node.redirects.flatMap(({ target }) => target ?? []);
  return variables.areKnown([...words, ...given]);
}

interface FactsContext {
  readonly folders: Scope["folders"];
  readonly state: LineState;
  /** True if its words show nothing of the environment. */
  readonly isTold: boolean;
  readonly ownBinaries: boolean;
  /** The files that earlier commands may have made. */
  readonly brought: Brought;
  /** The number of the commands before it. */
  readonly earlier: number;
  /** True if the line gives it its standard input. */
  readonly isFed: boolean;
  /** True if its standard output goes to a pipe or a file of the line. */
  readonly isHandedOn: boolean;
  /** True if globs may be looked up. */
  readonly areGlobsKnown: boolean;
}

/** Traits that are being put together. */
type OpenTraits = { -readonly [Key in keyof CommandTraits]: CommandTraits[Key] };

function factsOf(
  command: SimpleCommand,
  context: FactsContext,
): CommandTraits {
  const { folders, state, isTold, isFed, ownBinaries, brought } = context;
  const { program, reading: { onlyPrints } } = command;
  const found = classesWith(tableClasses(command, context), { command, folders, isFed, state });
  const isUnknown = typeof found === "string";
  const config = isUnknown ? NOTHING : found.config;
  const traits: OpenTraits = {
    classes: isUnknown ? UNKNOWN : isTold ? found.classes : withSecret(found.classes),
    isTold,
    isDescribed: program !== undefined || onlyPrints === "direct",
    isBuiltin: program?.table.builtin === true,
    folders: folders.paths,
    open: folders.open,
    reads: readFiles(command, folders),
    config,
    mayBeConfigured: state.brought.mayHave(config, brought),
    isOwnBinary: ownBinaries,
  };
  if (onlyPrints === "direct") traits.isDirect = true;
  if (state.brought.mayHave(VERSION_FILES, brought)) traits.mayBeVersioned = true;
  if (isUnknown) {
    traits.whyUnknown = found;
    traits.singles = NOTHING;
  } else {
    if (!isTold) traits.byTable = found.classes;
    addTable(traits, { found, context });
  }
  const own = ownClasses(command, context);
  const file = ownFile(command, { folders, state });
  if (own) traits.own = own;
  if (file) traits.ownFile = file;
  if (own || file) {
    traits.operands = NOTHING;
    traits.searches ??= [];
  }
  return traits;
}

const NOTHING: readonly string[] = [];

function withSecret(classes: readonly CommandClass[]): readonly CommandClass[] {
  return inOrder(new Set([...classes, "secret"]));
}

/** Adds the traits by the tables of the program. */
function addTable(
  traits: OpenTraits,
  { found, context }: { readonly found: TableClasses; readonly context: FactsContext },
): void {
  const { folders, state, brought } = context;
  const operands = pathsOf(found.operands, folders);
  if (operands) traits.operands = operands;
  const searches = found.searches.length === 0 ? [] : searchedFolders(found, {
    folders,
    mayBeFilled: brought.isAny || brought.inIndex && found.inRepository === true,
    mayBeShown: state.brought.mayHave(IGNORE_FILES, brought),
    areGlobsKnown: context.areGlobsKnown,
  });
  if (searches) traits.searches = searches;
  const singles = globsOf(found.singles, context);
  if (singles) traits.singles = singles;
  if (found.binary) traits.binary = found.binary;
  if (found.packages && !mayLack(context)) traits.packages = found.packages;
  if (found.isInterpreter) traits.isInterpreter = true;
  if (found.git) traits.git = found.git;
  if (found.redirects) traits.redirects = true;
  if (found.starts.length > 0) traits.starts = found.starts;
  if (found.home) traits.home = found.home;
  if (found.whyUnheld !== undefined) traits.whyUnheld = found.whyUnheld;
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
    return "its standard input may contain commands";
  }
  const asked = ASKS_ABOUT.has(baseName(words[0]!.shape)) ? words.slice(1) : NO_WORDS;
  const isElsewhere = paths.some(isOnHost) ||
    asked.some(({ shape, glob }) => glob === undefined && mayBeOnHost(shape, state.setsHost)) ||
    [reading.folders, found.searches, asked].some((each) =>
      each.some((word) => isPlaceOnHost(word, paths))
    ) ||
    reading.uses.some(({ kind, value }) => NAMES_FILE.has(kind) && isPlaceOnHost(value, paths)) ||
    node.redirects.some(({ operator, target }) =>
      target && !operator.startsWith("<<") && isPlaceOnHost(target, paths)
    );
  return isElsewhere
    ? { ...found, classes: inOrder(new Set([...found.classes, "service"])) }
    : found;
}

const NO_WORDS: readonly Word[] = [];

/** True if a word is, from one of some folders, a path of another machine. */
function isPlaceOnHost(word: Word, paths: readonly string[]): boolean {
  return alternativesOf(word).some(({ shape, glob = shape }) =>
    paths.some((folder) => isOnHost(joinPath(folder, glob)))
  );
}

/** The classes by the tables, or the reason why they are unknown. */
function tableClasses(
  command: SimpleCommand,
  context: Pick<FactsContext, "state" | "isHandedOn">,
): TableClasses | string {
  const found = namedClasses(command, context);
  return typeof found === "string" && isOfSystem(command.words[0]!.shape)
    ? interpreterClasses(command, context.state) ?? found
    : found;
}

function namedClasses(
  { words, node, program, reading }: SimpleCommand,
  { state, isHandedOn }: Pick<FactsContext, "state" | "isHandedOn">,
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
  return commandClasses(words, reading, { isHandedOn });
}

/** True for a bare name, and for a path in a folder of the system. */
function isOfSystem(name: string): boolean {
  return !name.includes("/") ||
    /^\/(?:usr\/(?:local\/)?)?s?bin\/[^/]+$|^\/opt\/homebrew\/bin\/[^/]+$/.test(name);
}

/** The files that a command reads by its words and its redirections, from each folder that it may run in. */
function readFiles(
  { node, reading: { uses } }: SimpleCommand,
  { paths }: Scope["folders"],
): CommandTraits["reads"] {
  const files: CommandTraits["reads"][number][] = [];
  const add = ({ shape, glob }: Word, from?: Word) => {
    const joined = from === undefined ? shape : joinPath(from.shape, shape);
    const isGlob = !isFixed(joined) && glob !== undefined;
    const path = isGlob ? glob : joined;
    for (const folder of paths) files.push({ text: joinPath(folder, path), isGlob });
  };
  for (const { kind, value, from } of uses) {
    if (kind !== "read") continue;
    for (const word of alternativesOf(value)) add(word);
    for (const folder of from ?? []) {
      for (const word of alternativesOf(value)) add(word, folder);
    }
  }
  for (const { operator, target } of node.redirects) {
    if (!target || !/^<>?$/.test(operator)) continue;
    for (const word of alternativesOf(target)) add(word);
  }
  return files;
}
