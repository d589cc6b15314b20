import {
  chmodSync,
  closeSync,
  fchmodSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileError, isNotFound } from "../runtime/file_fault.ts";
import { isSame, lstatOf } from "../runtime/file_calls.ts";
import { FileError } from "../runtime/runtime.ts";

/** The target of a backup. */
export interface BackupOptions {
  /** Its absolute path. */
  readonly to: string;
  /** The handling of an earlier file at that path: `refuse` is an error for one with another text, `number` takes the path with a number. */
  readonly earlier: "number" | "refuse";
}

/**
 * Copies a file with its mode to a backup, without following links, and returns its path. Throws FileError, also for anything
 * but a file in its place.
 */
export function writeBackup(from: string, { to, earlier }: BackupOptions): string {
  try {
    const bytes = readFileSync(from);
    const there = lstatOf(to);
    if (there !== undefined) {
      if (!there.isFile()) {
        throw inTheWay(to, there.isSymbolicLink() ? "a link" : "something that is not a file");
      }
      if (earlier === "number") return writeBeside(from, { to, text: bytes });
      if (!readFileSync(to).equals(bytes)) throw inTheWay(to, "a file with another text");
      return to;
    }
    return writeNew(from, { to, text: bytes });
  } catch (error) {
    throw fileError(error, { path: to, verb: "write" });
  }
}

interface NewFile {
  readonly to: string;
  readonly text: string | Uint8Array;
}

/** Fails if anything was put there meanwhile. */
function writeNew(from: string, { to, text }: NewFile): string {
  const file = openSync(to, "wx", 0o600);
  try {
    writeFileSync(file, text);
    fchmodSync(file, statSync(from).mode & 0o7777);
  } finally {
    closeSync(file);
  }
  return to;
}

/** The most names that are tried for a copy. */
const MOST_NAMES = 1000;

/** Writes a text with the mode of a file to a new file: at a path, or the path with the first free number. Throws FileError. */
export function writeBeside(from: string, { to, text }: NewFile): string {
  try {
    for (let number = 1; number <= MOST_NAMES; number++) {
      const path = number === 1 ? to : `${to}-${number}`;
      if (lstatOf(path) !== undefined) continue;
      return writeNew(from, { to: path, text });
    }
  } catch (error) {
    throw fileError(error, { path: to, verb: "write" });
  }
  throw inTheWay(to, "a file");
}

/** True if a regular file is at a path, not a link. Throws FileError if that is unknown. */
export function isPlainFile(path: string): boolean {
  try {
    return lstatOf(path)?.isFile() === true;
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/** True if a folder is at a path, not a link. Throws FileError if that is unknown. */
export function isFolder(path: string): boolean {
  try {
    return lstatOf(path)?.isDirectory() === true;
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/** Removes a regular file and nothing else; a missing file is no error. Throws FileError. */
export function removeFile(path: string): void {
  try {
    if (lstatOf(path)?.isFile() === true) unlinkSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw fileError(error, { path, verb: "write" });
  }
}

/** Lets everybody read files and folders that were just made, even if the process's mask forbids it. Throws FileError. */
export function openToAll(paths: readonly string[]): void {
  for (const path of paths) {
    try {
      const stats = lstatOf(path);
      if (stats?.isDirectory()) chmodSync(path, 0o755);
      else if (stats?.isFile()) chmodSync(path, 0o644);
    } catch (error) {
      throw fileError(error, { path, verb: "write" });
    }
  }
}

function inTheWay(path: string, what: string): FileError {
  const message = `Cannot write "${path}": ${what} is in the way; move it away first`;
  return new FileError(message, { path, fault: "other" });
}

/** Two new folders for trying a hook: one with a policy, and an empty one. */
interface ProbeFolders {
  /** The folder of the policy. */
  readonly folder: string;
  /** The empty one. */
  readonly elsewhere: string;
  /** A file beside them with the same policy, which is no project's. */
  readonly rules: string;
}

/** Runs `use` with a policy in a new folder, and removes that afterwards, also after a failure. Throws FileError. */
export async function withProbeFolder<T>(
  policy: string,
  use: (folders: ProbeFolders) => Promise<T>,
): Promise<T> {
  const top = join(tmpdir(), `caliban-doctor-${crypto.randomUUID()}`);
  const folders = {
    folder: join(top, "project"),
    elsewhere: join(top, "elsewhere"),
    rules: join(top, "rules.toml"),
  };
  let made: Stats;
  try {
    mkdirSync(top, { mode: 0o700 });
    made = lstatSync(top);
    mkdirSync(join(folders.folder, ".caliban"), { recursive: true });
    mkdirSync(folders.elsewhere);
    writeFileSync(join(folders.folder, ".caliban/permissions.toml"), policy);
    writeFileSync(folders.rules, policy);
  } catch (error) {
    throw fileError(error, { path: top, verb: "write" });
  }
  try {
    return await use(folders);
  } finally {
    // The tried program may have put anything in its place.
    const now = lstatOf(top);
    if (now !== undefined && isSame(made, now)) rmSync(top, { recursive: true, force: true });
  }
}
