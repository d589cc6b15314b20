import {
  closeSync,
  fchmodSync,
  fchownSync,
  fsyncSync,
  openSync,
  readdirSync,
  renameSync,
  type Stats,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import { codeOf, notAFile } from "../runtime/file_fault.ts";
import { lstatOf, removeIfThere, UUID } from "../runtime/file_calls.ts";

const NEW_MODE = 0o644;
/** A file's own lock is lost after five seconds, and its temporary file with it. */
const DEAD_AFTER_MS = 10_000;
/** The locks of other files in the folder are not held. */
const OTHERS_DEAD_AFTER_MS = 10 * 60_000;
const TEMPORARY = new RegExp(`^\\.(.+)\\.${UUID}\\.caliban-tmp$`, "s");

/**
 * Puts a new text in a file's place so that there is the old file or the new one at every moment, also after a crash:
 * written beside it, flushed, renamed. Keeps the mode of one that is there and, where that is allowed, its owner. `isHeld` is asked last; when
 * it says no, nothing is changed and false returned. Throws the runtime's own errors.
 */
export function replaceFile(
  path: string,
  next: { text: string; isHeld: () => boolean; mode?: number | undefined },
): boolean {
  const before = lstatOf(path);
  if (before !== undefined && !before.isFile()) throw notAFile(path, "write");
  // Renaming would replace a file that its owner made read-only. (`access` needs --allow-sys under Deno.)
  if (before !== undefined) closeSync(openSync(path, "r+"));
  const temporary = join(dirname(path), `.${basename(path)}.${crypto.randomUUID()}.caliban-tmp`);
  try {
    writeFlushed(temporary, { text: next.text, before, mode: next.mode });
    if (!next.isHeld()) {
      removeIfThere(temporary);
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

/**
 * Removes what runs that died left beside a file, and long ago beside others in its folder; to be called under its lock. Only
 * regular files with a name that caliban gives; what cannot be looked at or removed stays.
 */
export function removeDeadFiles(path: string): void {
  const folder = dirname(path);
  for (const name of ifLet(() => readdirSync(folder)) ?? []) {
    const [, of] = TEMPORARY.exec(name) ?? [];
    if (of === undefined) continue;
    const age = of === basename(path) ? DEAD_AFTER_MS : OTHERS_DEAD_AFTER_MS;
    const stats = ifLet(() => lstatOf(join(folder, name)));
    // A clock that was set back makes it younger than now.
    const isDead = stats?.isFile() && Math.abs(Date.now() - stats.mtimeMs) > age;
    if (isDead) ifLet(() => removeIfThere(join(folder, name)));
  }
}

/** The result of a call; undefined if the system refuses it. */
function ifLet<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (codeOf(error) === undefined) throw error;
    return undefined;
  }
}

interface FlushedText {
  readonly text: string;
  readonly before: Stats | undefined;
  readonly mode: number | undefined;
}

function writeFlushed(path: string, { text, before, mode = NEW_MODE }: FlushedText): void {
  const file = openSync(path, "wx", before === undefined ? mode : 0o600);
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
    // Only root may change the owner; a team's file that we may write becomes ours, as with any editor. Windows has no
    // such owners.
    if (!["EPERM", "ENOSYS", "ENOTSUP", "EINVAL"].includes(codeOf(error) ?? "")) throw error;
  }
}

/** Makes the rename survive a power failure, if the platform and the file system can flush folders. */
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
