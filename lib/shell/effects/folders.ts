import type { CommandTraits, Effect } from "../effect.ts";
import { alternativesOf, isFixed, type Word } from "../parse/tree.ts";
import type { TableClasses } from "../programs/command_classes.ts";
import type { ProgramUse } from "../programs/program_use.ts";
import type { SimpleCommand } from "./simple_command.ts";

/** The folders that a command may run in. Immutable. */
export interface Folders {
  /** Paths from the folder of the call, which is ""; at least one. */
  readonly paths: readonly string[];
  /** True if it may run in any other folder too. */
  readonly open: boolean;
}

/** The folders of the next command. */
export interface FoldersAfter {
  /** After success. */
  readonly success: Folders;
  /** After failure. */
  readonly failure: Folders;
}

/** The folder of the call. */
export const START: Folders = { paths: [""], open: false };

/** The most folders that are tracked; more of them stand for any folder. */
const MAX_FOLDERS = 16;

/** The folders before and after a command, whether it succeeds or not. */
export function anyFolders(before: Folders, { success, failure }: FoldersAfter): Folders {
  return eitherFolders(before, eitherFolders(success, failure));
}

/** The union of two sets of folders. */
export function eitherFolders(a: Folders, b: Folders): Folders {
  if (a === b) return a;
  const paths = [...new Set([...a.paths, ...b.paths])];
  if (paths.length > MAX_FOLDERS) return { paths: a.paths, open: true };
  return { paths, open: a.open || b.open };
}

/** The same folders after success and failure. */
export function alwaysIn(folders: Folders): FoldersAfter {
  return folders === START ? STAYS : { success: folders, failure: folders };
}

const STAYS: FoldersAfter = { success: START, failure: START };

/** True if the folder is certainly still that of the call. */
export function isStart({ paths, open }: Folders): boolean {
  return !open && paths.length === 1 && paths[0] === "";
}

/** The folders in which a program finds its files, which enters another first (`git -C`). */
export function enteredFolders(folders: Folders, enters: Word | undefined): Folders {
  if (enters === undefined) return folders;
  const { shape } = enters;
  if (!isFixed(shape) || shape === "") return { ...folders, open: true };
  return { ...folders, paths: folders.paths.map((path) => joinPath(path, shape)) };
}

/** The folders after `cd` with these words; undefined if the line does not fix its target. */
export function afterCd(words: readonly Word[], folders: Folders): Folders | undefined {
  const target = cdTarget(words);
  if (target === undefined) return undefined;
  return { paths: folders.paths.map((path) => joinPath(path, target)), open: folders.open };
}

/** Builtins that may enter any folder. */
const ENTERS: ReadonlySet<string> = new Set(["pushd", "popd", "source", "."]);

/** The folders after a command; `inner`: those in which the commands that it runs may leave it. */
export function foldersAfter(
  { words, node }: Pick<SimpleCommand, "words" | "node">,
  { folders, inner }: { folders: Folders; inner: Folders | undefined },
): FoldersAfter {
  const name = words[0]?.shape ?? "";
  if (inner === undefined && !ENTERS.has(name) && name !== "cd") return alwaysIn(folders);
  const open = (): Folders => ({ ...folders, open: true });
  if (name === "cd" && node.assignments.length > 0) return alwaysIn(open());
  if (name === "cd" || isPush(words)) {
    return { success: afterCd(words, folders) ?? open(), failure: folders };
  }
  if (ENTERS.has(name)) return alwaysIn(open());
  const runsInShell = inner !== undefined && /^(?:command|builtin|eval)$/.test(name);
  return alwaysIn(runsInShell ? eitherFolders(folders, inner) : folders);
}

/** The target of `cd web` or `cd -P -- web`; undefined if the line does not fix it. */
export function cdTarget(words: readonly Word[]): string | undefined {
  let at = 1;
  while (/^-[LPe]+$/.test(words[at]?.shape ?? "")) at++;
  if (words[at]?.shape === "--") at++;
  if (at >= words.length) return "~";
  const { shape } = words[at]!;
  // Ignores CDPATH, by which a name without a leading dot or slash may mean a folder elsewhere.
  const fixed = isFixed(shape) && !shape.startsWith("-");
  return fixed && shape !== "" && words.length === at + 1 ? shape : undefined;
}

/** True for `pushd web`, which enters a folder as `cd web` does. */
export function isPush(words: readonly Word[]): boolean {
  return words[0]?.shape === "pushd" && words.length === 2 && /^[^-+]/.test(words[1]!.shape);
}

/** A path from the folder of the call; one that is absolute or begins at the home folder stays as it is. */
export function joinPath(folder: string, path: string): string {
  if (folder === "" || /^[/~]/.test(path)) return path;
  return path === "." ? folder : `${folder.replace(/\/$/, "")}/${path}`;
}

/** A path that leads to another machine: of a Windows share, or in a folder of an automounter. */
const ON_A_HOST =
  /^(?:\/\/|\\\\)[^/\\]|^\/(?:net|misc|afs|Network)\/[^/]|^\/run\/user\/[^/]*\/gvfs\//;

const SLASH = "/".charCodeAt(0);
const BACKSLASH = "\\".charCodeAt(0);

/** A part of a path that stands for no folder of its own. */
const EMPTY_PART = /\/(?:\/|\.{1,2}(?:\/|$))/;

/** True for an absolute path that leads to another machine. */
export function isOnHost(path: string): boolean {
  const first = path.charCodeAt(0);
  if (first !== SLASH && first !== BACKSLASH) return false;
  return ON_A_HOST.test(path) || EMPTY_PART.test(path) && ON_A_HOST.test(withoutEmptyParts(path));
}

function withoutEmptyParts(path: string): string {
  const parts: string[] = [];
  for (const part of path.split("/")) {
    if (part === "..") parts.pop();
    else if (part !== "" && part !== ".") parts.push(part);
  }
  return `/${parts.join("/")}`;
}

/** True if one of some words is, from one of some folders, a path of another machine. */
export function areOnHost(words: readonly Word[], paths: readonly string[]): boolean {
  for (let at = 0; at < words.length; at++) if (isPlaceOnHost(words[at]!, paths)) return true;
  return false;
}

/** Kinds of uses that are files. */
const NAMES_FILE: ReadonlySet<string> = new Set(["read", "write", "output", "fill"]);

/** The same for the files among some uses. */
export function areUsesOnHost(uses: readonly ProgramUse[], paths: readonly string[]): boolean {
  for (let at = 0; at < uses.length; at++) {
    const { kind, value } = uses[at]!;
    if (NAMES_FILE.has(kind) && isPlaceOnHost(value, paths)) return true;
  }
  return false;
}

/** The same for one word. */
export function isPlaceOnHost(word: Word, paths: readonly string[]): boolean {
  const isAlone = word.oneOf === undefined && word.choices === undefined;
  if (!isAlone) return alternativesOf(word).some((each) => isTextOnHost(each, paths));
  return isTextOnHost(word, paths);
}

function isTextOnHost({ shape, glob = shape }: Word, paths: readonly string[]): boolean {
  for (let at = 0; at < paths.length; at++) if (isOnHost(joinPath(paths[at]!, glob))) return true;
  return false;
}

/** True for a text that is the beginning of such a path, or one that makes it with the text around it. */
export function beginsOnHost(text: string): boolean {
  return isOnHost(text) || /^\/+(?:net|misc|afs|Network)?\/*$/.test(text);
}

/** True for a word that the line does not fix, and that may be such a path: `setsHost`: a variable of the line may begin one. */
export function mayBeOnHost(shape: string, setsHost: boolean): boolean {
  if (isFixed(shape)) return false;
  return setsHost && !isFixed(shape.slice(0, 1)) ||
    /^\/./.test(shape) && !isFixed(shape.slice(1, 2));
}

/** The folders that a command enters, which must be in the workspace for it to be harmless; `target`: undefined if it is not fixed. */
export function inFolder(
  target: string | undefined,
  { paths, open }: Folders,
): Effect["isHarmless"] {
  if (target === undefined || open) return false;
  return { folders: paths.map((path) => joinPath(path, target)) };
}

/** The folders that a command lists, which must be in the workspace for it to be harmless. */
export function inFolders(
  listed: readonly Word[],
  { paths, open }: Folders,
): Effect["isHarmless"] {
  if (open) return false;
  const folders: string[] = [];
  for (const { shape } of listed) {
    if (!isFixed(shape)) return false;
    for (const path of paths) folders.push(joinPath(path, shape));
  }
  return { folders };
}

const NOTHING: readonly string[] = [];

/** Words as paths, in each folder that the command may run in; undefined if one is not fixed. */
export function pathsOf(
  operands: readonly Word[],
  { paths, open }: Folders,
): readonly string[] | undefined {
  if (operands.length === 0) return NOTHING;
  const words = operands.flatMap((word): readonly Word[] => alternativesOf(word));
  const isOpen = words.some(({ shape, splits, glob }) =>
    !isFixed(shape) || splits || glob !== undefined || open && !/^[/~]/.test(shape)
  );
  if (isOpen) return undefined;
  return words.flatMap(({ shape }) => paths.map((folder) => joinPath(folder, shape)));
}

/** Globs, in each folder that the command may run in; undefined if they cannot be looked up. */
export function globsOf(
  words: readonly Word[],
  { folders: { paths, open }, areGlobsKnown }: {
    readonly folders: Folders;
    readonly areGlobsKnown: boolean;
  },
): readonly string[] | undefined {
  if (words.length === 0) return NOTHING;
  if (!areGlobsKnown || open) return undefined;
  return words.flatMap(({ glob = "" }) => paths.map((folder) => joinPath(inGlob(folder), glob)));
}

/** A path as part of a glob. */
function inGlob(path: string): string {
  return path.replace(/[\\*?[\]{}]/g, "\\$&");
}

/** The folders that are searched whole, in each folder that the command may run in; undefined if one is not fixed. */
export function searchedFolders(
  { searches, skipsHidden, followsLinks, endings, inRepository }: TableClasses,
  { folders: { paths, open }, mayBeFilled, mayBeShown, areGlobsKnown }: {
    readonly folders: Folders;
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
