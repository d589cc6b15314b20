import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, isNotFound } from "./file_fault.ts";

const NEW_MODE = 0o644;
const DEAD_AFTER_MS = 60_000;
const SUFFIX = ".caliban-tmp";

/**
 * Puts a new text in a file's place so that there is the old file or the new one at every moment, also after a crash:
 * written beside it, flushed, renamed. Keeps its mode and, where that is allowed, its owner. `isHeld` is asked last; when
 * it says no, nothing is changed and false returned. Throws the runtime's own errors.
 */
export function replaceFile(path: string, next: { text: string; isHeld: () => boolean }): boolean {
  const before = statOf(path);
  // Renaming would replace a file that its owner made read-only. (`access` needs --allow-sys under Deno.)
  if (before !== undefined) closeSync(openSync(path, "r+"));
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}${SUFFIX}`);
  try {
    writeFlushed(temporary, { text: next.text, before });
    if (!next.isHeld()) {
      unlinkSync(temporary);
      return false;
    }
    renameSync(temporary, path);
  } catch (error) {
    removeIfThere(temporary);
    throw error;
  }
  flushFolder(dirname(path));
  return true;
}

/** Removes what runs that died a minute ago or more left beside a file; to be called under its lock. */
export function removeDeadFiles(path: string): void {
  const folder = dirname(path);
  const prefix = `.${basename(path)}.`;
  for (const name of readdirSync(folder)) {
    if (!name.startsWith(prefix) || !name.endsWith(SUFFIX)) continue;
    const written = statOf(join(folder, name))?.mtimeMs ?? Date.now();
    if (written < Date.now() - DEAD_AFTER_MS) removeIfThere(join(folder, name));
  }
}

function writeFlushed(path: string, { text, before }: { text: string; before: Stats | undefined }) {
  const file = openSync(path, "wx", before === undefined ? NEW_MODE : 0o600);
  try {
    writeFileSync(file, text);
    if (before !== undefined) {
      keepOwner(file, before);
      fchmodSync(file, before.mode & 0o7777);
    }
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}

function keepOwner(file: number, { uid, gid }: Stats): void {
  try {
    fchownSync(file, uid, gid);
  } catch (error) {
    // Only root may give a file away; a team's file that we may write then becomes ours, as with any editor. Windows
    // has no such owners.
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EINVAL"].includes(codeOf(error) ?? "")) throw error;
  }
}

/** Makes the rename last through a power cut, where the platform and the file system let folders be flushed. */
function flushFolder(folder: string): void {
  try {
    const opened = openSync(folder, "r");
    try {
      fsyncSync(opened);
    } finally {
      closeSync(opened);
    }
  } catch (error) {
    // The file is in place by now. Windows cannot open folders, some file systems cannot flush them, and a folder may
    // be writable but not readable.
    if (codeOf(error) === undefined) throw error;
  }
}

function statOf(path: string): Stats | undefined {
  try {
    return statSync(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function removeIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    if (!isNotFound(error)) throw error;
  }
}
