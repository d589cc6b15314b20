import { mkdirSync, readFileSync, renameSync, rmdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileError } from "../runtime/file_fault.ts";
import { ifThere, lstatOf, namesIn, removeIfThere } from "../runtime/file_calls.ts";
import { FileError } from "../runtime/runtime.ts";

/** Contents by their path below the copy's folder, with slashes. */
export type CopiedFiles = ReadonlyMap<string, Uint8Array>;

const ATTEMPTS = 5;

/**
 * Writes a copy beside the folder and renames it, so that the folder is complete or missing; replaces a changed one. Removes
 * only files and folders that it writes itself: throws FileError for anything else, or a link.
 */
export function writeCopy(folder: string, files: CopiedFiles): void {
  try {
    if (isCopy(folder, files)) return;
    const temporary = `${folder}.${crypto.randomUUID()}`;
    mkdirSync(dirname(folder), { recursive: true, mode: 0o700 });
    mkdirSync(temporary, { mode: 0o700 });
    try {
      for (const [path, bytes] of files) {
        mkdirSync(dirname(join(temporary, path)), { recursive: true, mode: 0o700 });
        writeFileSync(join(temporary, path), bytes, { mode: 0o600, flag: "wx" });
      }
      putInPlace(temporary, { folder, files });
    } finally {
      removeCopy(temporary, files);
    }
  } catch (error) {
    throw fileError(error, { path: folder, verb: "write" });
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
