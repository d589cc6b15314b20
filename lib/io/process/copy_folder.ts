import { chmodSync, mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileError } from "../runtime/file_fault.ts";
import { ifThere, lstatOf, namesIn, removeIfThere } from "../runtime/file_calls.ts";
import { FileError } from "../runtime/runtime.ts";

/** Contents by their path below the copy's folder, with slashes. */
export type CopiedFiles = ReadonlyMap<string, Uint8Array>;

const ATTEMPTS = 5;

/** The permissions of a copy. */
export interface CopyOptions {
  /** True if everybody may read it; else its owner alone. */
  readonly isShared: boolean;
  /** The path of the file in it that is started by itself. */
  readonly program?: string;
}

/**
 * Writes a copy beside the folder and renames it, so that the folder is complete or missing; replaces a changed one. Removes
 * only files and folders that it writes itself: throws FileError for anything else, or a link.
 */
export function writeCopy(
  folder: string,
  files: CopiedFiles,
  { isShared, program }: CopyOptions = { isShared: false },
): void {
  try {
    if (isCopy(folder, files)) return;
    const mode = isShared ? 0o755 : 0o700;
    const temporary = `${folder}.${crypto.randomUUID()}`;
    mkdirSync(dirname(folder), { recursive: true, mode });
    mkdirSync(temporary, { mode });
    try {
      for (const [path, bytes] of files) {
        mkdirSync(dirname(join(temporary, path)), { recursive: true, mode });
        const own = path === program ? mode : mode & 0o644;
        writeFileSync(join(temporary, path), bytes, { mode: own, flag: "wx" });
      }
      if (isShared) openToAll(temporary, { files, program });
      putInPlace(temporary, { folder, files });
    } finally {
      removeCopy(temporary, files);
    }
  } catch (error) {
    throw fileError(error, { path: folder, verb: "write" });
  }
}

/** Gives everybody the right to read a copy, even if the mask of this process takes it away. */
function openToAll(
  folder: string,
  { files, program }: { readonly files: CopiedFiles; readonly program: string | undefined },
): void {
  for (const path of ["", ...foldersOf([...files.keys()])]) chmodSync(join(folder, path), 0o755);
  for (const path of files.keys()) {
    chmodSync(join(folder, path), path === program ? 0o755 : 0o644);
  }
}

/** Processes that write the same copy at once leave one complete copy. */
function putInPlace(
  temporary: string,
  { folder, files }: { readonly folder: string; readonly files: CopiedFiles },
): void {
  for (let attempt = 1; !isCopy(folder, files); attempt++) {
    const old = `${temporary}.${attempt}.old`;
    const foreign = foreignIn(folder, files);
    if (foreign !== undefined) throw notOurs(folder, foreign);
    try {
      if (lstatOf(folder) !== undefined) renameSync(folder, old);
      renameSync(temporary, folder);
    } catch (error) {
      // Another process may be faster; then its copy is checked.
      if (attempt === ATTEMPTS) throw error;
    } finally {
      removeCopy(old, files);
    }
  }
}

function isCopy(folder: string, files: CopiedFiles): boolean {
  if (lstatOf(folder)?.isDirectory() !== true) return false;
  return [...files].every(([path, bytes]) => {
    const there = join(folder, path);
    const isReal = foldersOf([path]).every((each) =>
      lstatOf(join(folder, each))?.isDirectory() === true
    );
    return isReal && lstatOf(there)?.isFile() === true && readFileSync(there).equals(bytes);
  });
}

/** The path of anything that no copy has, links included; undefined if there is none. */
function foreignIn(folder: string, files: CopiedFiles): string | undefined {
  const stats = lstatOf(folder);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) return folder;
  const folders = new Set(foldersOf([...files.keys()]));
  const pending = [""];
  for (const below of pending) {
    for (const name of namesIn(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      const entry = lstatOf(join(folder, path));
      if (entry?.isDirectory() && folders.has(path)) pending.push(path);
      else if (entry !== undefined && !(entry.isFile() && files.has(path))) {
        return join(folder, path);
      }
    }
  }
  return undefined;
}

/** Removes the files of a copy; a folder with anything else stays as it is. */
function removeCopy(folder: string, files: CopiedFiles): void {
  if (lstatOf(folder) === undefined || foreignIn(folder, files) !== undefined) return;
  const folders = foldersOf([...files.keys()]).toSorted((a, b) => b.length - a.length);
  for (const path of files.keys()) removeIfThere(join(folder, path));
  for (const path of [...folders, ""]) ifThere(() => rmdirSync(join(folder, path)));
}

/** Every folder below the copy's own that the paths go through. */
function foldersOf(paths: readonly string[]): readonly string[] {
  const found = paths.flatMap((path) => {
    const names = path.split("/").slice(0, -1);
    return names.map((_, index) => names.slice(0, index + 1).join("/"));
  });
  return [...new Set(found)];
}

function notOurs(folder: string, foreign: string): FileError {
  const message = `Cannot write "${folder}": "${foreign}" was not made by caliban; ` +
    "move it away first";
  return new FileError(message, { path: folder, fault: "other" });
}

/** True if a folder is a copy that is still what its name says: `nameOf` gives the name for contents. Throws FileError. */
export function isWholeCopy(folder: string, nameOf: (files: CopiedFiles) => string): boolean {
  try {
    return wholeCopy(folder, nameOf) !== undefined;
  } catch (error) {
    throw fileError(error, { path: folder, verb: "read" });
  }
}

/**
 * Removes a copy that is still what its name says: `nameOf` gives the name for contents. Anything else stays. Returns true if it
 * is gone. Throws FileError.
 */
export function removeOldCopy(folder: string, nameOf: (files: CopiedFiles) => string): boolean {
  try {
    const files = wholeCopy(folder, nameOf);
    if (files === undefined) return false;
    removeCopy(folder, files);
    return lstatOf(folder) === undefined;
  } catch (error) {
    throw fileError(error, { path: folder, verb: "write" });
  }
}

/** The files of a copy that is still what its name says; undefined for anything else. */
function wholeCopy(
  folder: string,
  nameOf: (files: CopiedFiles) => string,
): CopiedFiles | undefined {
  if (lstatOf(folder)?.isDirectory() !== true) return undefined;
  const files = filesIn(folder);
  return files !== undefined && basename(folder) === nameOf(files) ? files : undefined;
}

/** Every file below a folder; undefined where a link or anything else is among them. */
function filesIn(folder: string): CopiedFiles | undefined {
  const files = new Map<string, Uint8Array>();
  const pending = [""];
  for (const below of pending) {
    for (const name of namesIn(join(folder, below))) {
      const path = below === "" ? name : `${below}/${name}`;
      const entry = lstatOf(join(folder, path));
      if (entry?.isDirectory()) pending.push(path);
      else if (entry?.isFile()) files.set(path, readFileSync(join(folder, path)));
      else return undefined;
    }
  }
  return files;
}
