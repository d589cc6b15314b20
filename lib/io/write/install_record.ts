import { createHash } from "node:crypto";
import { rmdirSync } from "node:fs";
import { dirname, join, sep } from "node:path";
import { fileError, reading } from "../runtime/file_fault.ts";
import { ifThere, lstatOf, namesIn } from "../runtime/file_calls.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { editFile } from "./edit_file.ts";
import { removeFile } from "./own_files.ts";

/** The hooks that were installed with the copies of one folder, and the folders that were made for them. */
export interface InstallRecord {
  readonly files: readonly InstalledFile[];
  /** Absolute paths. */
  readonly folders: readonly string[];
}

/** A settings file with an installed hook. */
export interface InstalledFile {
  readonly agent: string;
  /** Absolute. */
  readonly path: string;
  /** True if the previous text was kept beside it. */
  readonly backup: boolean;
  /** The path of that text; absent where it is the usual one. */
  readonly kept?: string;
  /** The digest of the file, of one that is ours as a whole. */
  readonly digest?: string;
}

/** The digest of a text, but for blanks at its end. */
export function textDigest(text: string): string {
  return createHash("sha256").update(text.trimEnd()).digest("hex");
}

const EMPTY: InstallRecord = { files: [], folders: [] };

/** The record of the copies in `hooks` of a folder (absolute). */
export function recordPath(below: string): string {
  return join(below, "installed.json");
}

/** Reads a record; an empty one where there is none, or where it cannot be understood. Throws FileError, also for a link. */
export function readRecord(
  runtime: Pick<Runtime, "stat" | "readText">,
  path: string,
): InstallRecord {
  requireNoLink(path);
  return runtime.stat(path) === undefined ? EMPTY : parsed(runtime.readText(path));
}

/** We make no link: what it leads to is somebody else's. */
function requireNoLink(path: string): void {
  if (reading(path, () => lstatOf(path))?.isSymbolicLink() !== true) return;
  throw new FileError(`Cannot use "${path}": it is a link; move it away first`, {
    path,
    fault: "other",
  });
}

/** The folders above a path that are not there, the outermost first. Throws FileError. */
export function missingFolders(path: string): readonly string[] {
  return reading(path, () => {
    const missing: string[] = [];
    for (let folder = dirname(path); lstatOf(folder) === undefined; folder = dirname(folder)) {
      missing.unshift(folder);
    }
    return missing;
  });
}

/** Adds an installed hook, and folders that were made. Throws FileError. */
export async function recordInstall(
  path: string,
  { file, folders }: { readonly file: InstalledFile; readonly folders: readonly string[] },
): Promise<void> {
  requireNoLink(path);
  await editFile(path, (text) => {
    const { files, folders: known } = text === undefined ? EMPTY : parsed(text);
    const earlier = files.find((each) => each.path === file.path);
    const { kept } = file.backup ? file : earlier ?? file;
    const own = {
      ...file,
      backup: file.backup || earlier?.backup === true,
      ...(kept !== undefined && { kept }),
    };
    const others = files.filter((each) => each.path !== file.path);
    return textOf({ files: [...others, own], folders: [...new Set([...known, ...folders])] });
  }, { within: null, newFolders: 4, mode: 0o644 });
}

/** Takes an installed hook out, and removes the folders that were made and are empty now. Throws FileError. */
export async function forgetInstall(path: string, settings: string): Promise<void> {
  if (reading(path, () => lstatOf(path)) === undefined) return;
  requireNoLink(path);
  let left = EMPTY;
  await editFile(path, (text) => {
    const { files, folders } = text === undefined ? EMPTY : parsed(text);
    left = { files: files.filter((each) => each.path !== settings), folders };
    return text === undefined ? undefined : textOf(left);
  }, { within: null });
  if (left.files.length === 0) removeFile(path);
  const folders = left.folders.toSorted((a, b) => b.length - a.length)
    .filter((folder) => !isAbove(folder, [path, settings]) || !removeEmptyFolder(folder));
  if (left.files.length === 0) return;
  await editFile(path, (text) => {
    const { files } = text === undefined ? EMPTY : parsed(text);
    return textOf({ files, folders: folders.toReversed() });
  }, { within: null });
}

/** True if one of the paths is in the folder, or the copies beside the record are: install makes no other. */
function isAbove(folder: string, [record, settings]: readonly [string, string]): boolean {
  const paths = [settings, join(dirname(record), "hooks", "copy")];
  return paths.some((path) => path.startsWith(`${folder}${sep}`));
}

/** Removes a folder without anything in it; true if it is gone. */
function removeEmptyFolder(folder: string): boolean {
  try {
    const stats = lstatOf(folder);
    if (stats?.isDirectory() === true && namesIn(folder).length === 0) {
      ifThere(() => rmdirSync(folder));
    }
    return lstatOf(folder) === undefined;
  } catch (error) {
    throw fileError(error, { path: folder, verb: "write" });
  }
}

function textOf(record: InstallRecord): string {
  return `${JSON.stringify({ version: 1, ...record }, null, 2)}\n`;
}

function parsed(text: string): InstallRecord {
  try {
    const { files, folders } = JSON.parse(text);
    const isFile = (each: Partial<InstalledFile> | null) =>
      typeof each?.path === "string" && typeof each.agent === "string";
    return {
      files: Array.isArray(files) ? files.filter(isFile) : [],
      folders: Array.isArray(folders) ? folders.filter((each) => typeof each === "string") : [],
    };
  } catch {
    // A record that caliban did not write counts as empty: then uninstalling removes less.
    return EMPTY;
  }
}
