import {
  closeSync,
  fchmodSync,
  openSync,
  readFileSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { fileError, isNotFound } from "../runtime/file_fault.ts";
import { lstatOf } from "./lstat_of.ts";
import { FileError } from "../runtime/runtime.ts";

/** Where a backup is written. */
export interface BackupOptions {
  /** Its absolute path. */
  readonly to: string;
  /** What becomes of a file with another text that stands there: in a project it could be anybody's. */
  readonly earlier: "replace" | "refuse";
}

/**
 * Copies a file with its mode to a backup, which is made and never followed. Throws FileError, also for a link and anything
 * else that is no file in its place.
 */
export function writeBackup(from: string, { to, earlier }: BackupOptions): void {
  try {
    const bytes = readFileSync(from);
    const there = lstatOf(to);
    if (there !== undefined) {
      if (!there.isFile()) throw inTheWay(to, there.isSymbolicLink() ? "a link" : "no file");
      if (readFileSync(to).equals(bytes)) return;
      if (earlier === "refuse") throw inTheWay(to, "a file with another text");
      unlinkSync(to);
    }
    // Fails where anything came there meanwhile.
    const file = openSync(to, "wx", 0o600);
    try {
      writeFileSync(file, bytes);
      fchmodSync(file, statSync(from).mode & 0o7777);
    } finally {
      closeSync(file);
    }
  } catch (error) {
    throw fileError(error, { path: to, verb: "write" });
  }
}

/** Whether a regular file stands at a path, and no link to one. Throws FileError when that cannot be told. */
export function isPlainFile(path: string): boolean {
  try {
    return lstatOf(path)?.isFile() === true;
  } catch (error) {
    throw fileError(error, { path, verb: "read" });
  }
}

/** Removes a regular file, and nothing else that stands at its path; nothing there is no error. Throws FileError. */
export function removeFile(path: string): void {
  try {
    if (lstatOf(path)?.isFile() === true) unlinkSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw fileError(error, { path, verb: "write" });
  }
}

function inTheWay(path: string, what: string): FileError {
  const message = `Cannot write "${path}": what stands there is ${what}; move it away first`;
  return new FileError(message, { path, fault: "other" });
}
