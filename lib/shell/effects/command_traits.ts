import type { CommandClass } from "../../model/call.ts";
import type { CommandTraits, SearchedFolder } from "../effect.ts";
import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import { baseName } from "../programs/program_catalog.ts";
import { hasUse } from "../programs/program_use.ts";
import { VERSION_FILES } from "../programs/version_files.ts";
import { commandClasses, type TableClasses } from "../programs/command_classes.ts";
import { BIT, bitsOf, classesIn } from "../programs/classes/class_set.ts";
import { type Brought, keepsFiles, mayLack } from "./brought_files.ts";
import { interpreterClasses, ownFile } from "./code_classes.ts";
import type { Scope } from "./command_context.ts";
import type { LineState } from "./line_state.ts";
import {
  areOnHost,
  areUsesOnHost,
  globsOf,
  isOnHost,
  isPlaceOnHost,
  joinPath,
  mayBeOnHost,
  pathsOf,
  searchedFolders,
} from "./folders.ts";
import { isHandedOn } from "./redirect_effects.ts";
import { ownTraits } from "./own_traits.ts";
import { isHarmlessAssignment } from "./texts/assignment_kind.ts";
import type { SimpleCommand } from "./simple_command.ts";

const UNKNOWN: readonly CommandClass[] = Object.freeze<CommandClass[]>(["unknown"]);

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
  if (!variables.areKnown(words)) return false;
  return node.redirects.every(({ target }) => target === undefined || variables.areKnown([target]));
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
    byTable: isUnknown || isTold ? undefined : found.classes,
    whyUnknown: isUnknown ? found : undefined,
    isTold,
    isDescribed: program !== undefined || onlyPrints === "direct",
    isDirect: onlyPrints === "direct" ? true : undefined,
    isBuiltin: program?.table.builtin === true,
    folders: folders.paths,
    open: folders.open,
    operands: undefined,
    config,
    mayBeConfigured: state.brought.mayHave(config, brought),
    mayBeVersioned: state.brought.mayHave(VERSION_FILES, brought) ? true : undefined,
    binary: undefined,
    packages: undefined,
    isOwnBinary: ownBinaries,
    git: undefined,
    own: ownClasses(command, context),
    isInterpreter: undefined,
    ownFile: ownFile(command, { folders, state }),
    singles: isUnknown ? NOTHING : undefined,
    reads: readFiles(command, folders),
    searches: undefined,
    redirects: undefined,
    home: undefined,
    whyUnheld: undefined,
    starts: undefined,
  };
  if (!isUnknown) addTable(traits, { found, context });
  if (traits.own || traits.ownFile) {
    traits.operands = NOTHING;
    traits.searches ??= NO_FOLDERS;
  }
  return traits;
}

const NOTHING: readonly string[] = [];
const NO_FOLDERS: readonly SearchedFolder[] = [];

function withSecret(classes: readonly CommandClass[]): readonly CommandClass[] {
  return classesIn(bitsOf(classes) | BIT.secret);
}

/** Adds the traits by the tables of the program. */
function addTable(
  traits: OpenTraits,
  { found, context }: { readonly found: TableClasses; readonly context: FactsContext },
): void {
  const { folders, state, brought } = context;
  traits.operands = pathsOf(found.operands, folders);
  traits.searches = found.searches.length === 0 ? NO_FOLDERS : searchedFolders(found, {
    folders,
    mayBeFilled: brought.isAny || brought.inIndex && found.inRepository === true,
    mayBeShown: state.brought.mayHave(IGNORE_FILES, brought),
    areGlobsKnown: context.areGlobsKnown,
  });
  traits.singles = globsOf(found.singles, context);
  traits.binary = found.binary;
  if (found.packages && !mayLack(context)) traits.packages = found.packages;
  traits.isInterpreter = found.isInterpreter;
  traits.git = found.git;
  if (found.redirects) traits.redirects = true;
  if (found.starts.length > 0) traits.starts = found.starts;
  traits.home = found.home;
  traits.whyUnheld = found.whyUnheld;
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
    areOnHost(reading.folders, paths) || areOnHost(found.searches, paths) ||
    areOnHost(asked, paths) || areUsesOnHost(reading.uses, paths) ||
    node.redirects.some(({ operator, target }) =>
      target && !operator.startsWith("<<") && isPlaceOnHost(target, paths)
    );
  return isElsewhere
    ? { ...found, classes: classesIn(bitsOf(found.classes) | BIT.service) }
    : found;
}

const NO_WORDS: readonly Word[] = [];

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

const NO_FILES: CommandTraits["reads"] = [];

/** The files that a command reads by its words and its redirections, from each folder that it may run in. */
function readFiles(
  { node, reading: { uses } }: SimpleCommand,
  { paths }: Scope["folders"],
): CommandTraits["reads"] {
  if (node.redirects.length === 0 && !hasUse({ uses }, "read")) return NO_FILES;
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
