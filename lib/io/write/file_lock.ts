import { basename, dirname, join } from "node:path";
import { lock } from "proper-lockfile";
import { codeOf } from "../runtime/file_fault.ts";
import { LockFolder, type LockWatch } from "./lock_folder.ts";
import { ForeignLockError } from "./lock_tokens.ts";
import { FileError } from "../runtime/runtime.ts";

const STALE_MS = 5000;
const HEARTBEAT_MS = 1000;
const RETRY_MS = { least: 10, most: 100 };

/** A lock that this process holds. */
export interface FileLock {
  /** Whether it still is held: a process that was stopped for over five seconds may have lost it. */
  isHeld(): boolean;
  /** Gives it back; a lock that was lost already stays whoever's it is. */
  release(): Promise<void>;
}

/** Where the lock of a file stands: a folder beside it. */
export function lockPath(file: string): string {
  return join(dirname(file), `.${basename(file)}.caliban-lock`);
}

/**
 * Locks a file (there or not; its folder must be) against every other process that edits it, on any runtime. Tries again
 * until `deadline` (ms since 1970), then throws FileError that names the lock. Throws it at once for what stands in the
 * lock's place and is not caliban's; other errors are the runtime's own.
 */
export async function lockFile(file: string, deadline: number): Promise<FileLock> {
  const folder = lockPath(file);
  const watch: LockWatch = {};
  while (true) {
    const held = await tryLock(file, { folder, watch });
    if (held !== undefined) return held;
    if (Date.now() >= deadline) throw busy(file, folder);
    const spread = RETRY_MS.most - RETRY_MS.least;
    await new Promise((go) => setTimeout(go, RETRY_MS.least + Math.random() * spread));
  }
}

/** The lock, or undefined when another has it. */
async function tryLock(
  file: string,
  { folder, watch }: { readonly folder: string; readonly watch: LockWatch },
): Promise<FileLock | undefined> {
  const calls = new LockFolder(STALE_MS, watch);
  let lost = false;
  try {
    const release = await lock(file, {
      fs: calls,
      lockfilePath: folder,
      realpath: false,
      stale: STALE_MS,
      update: HEARTBEAT_MS,
      onCompromised: () => {
        lost = true;
      },
    });
    return {
      isHeld: () => !lost && calls.isOurs(folder),
      release: async () => {
        if (!lost && calls.isOurs(folder)) await release();
      },
    };
  } catch (error) {
    if (codeOf(error) === "ELOCKED" || codeOf(error) === "EEXIST") return undefined;
    if (error instanceof ForeignLockError) throw foreign(file, error);
    throw error;
  }
}

function foreign(file: string, cause: ForeignLockError): FileError {
  const message = `Cannot write "${file}": ${cause.detail}`;
  return new FileError(message, { path: file, fault: "other", cause });
}

function busy(file: string, folder: string): FileError {
  const message = `Cannot write "${file}": another process holds the lock "${folder}"; ` +
    "remove that folder if none is running";
  return new FileError(message, { path: file, fault: "other" });
}
