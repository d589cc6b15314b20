import { mkdirSync, type Stats, utimesSync, writeFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { lock } from "proper-lockfile";
import { codeOf, isNotFound } from "../runtime/file_fault.ts";
import { FileError } from "../runtime/runtime.ts";
import {
  ForeignLockError,
  newToken,
  removeIfEmpty,
  removeTokens,
  seenLock,
} from "./lock_tokens.ts";
import { lstatOf } from "../runtime/file_calls.ts";

// A write beyond a limit of file sizes fails, and the error says of which file. proper-lockfile would end the process at its signal,
// unless somebody else listens to that.
if (process.platform !== "win32") process.on("SIGXFSZ", () => {});

const STALE_MS = 5000;
const HEARTBEAT_MS = 1000;
const RETRY_MS = { least: 10, most: 100 };

/** A lock that this process holds. */
export interface FileLock {
  /** True if it is still held: a process that was stopped for over five seconds may have lost it. */
  isHeld(): boolean;
  /** Releases it; a lock that was lost stays with its new owner. */
  release(): Promise<void>;
}

/** The path of a file's lock: a folder beside it. */
export function lockPath(file: string): string {
  return join(dirname(file), `.${basename(file)}.caliban-lock`);
}

/**
 * Locks a file, which may be missing but not its folder, against every other process that edits it, on any runtime. Tries
 * again until `deadline` (ms since 1970), then throws a FileError that names the lock. Throws at once if anything that is not
 * caliban's is in the lock's place; other errors are the runtime's own.
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

type Done<T = void> = (error: Error | null, value?: T) => void;
type Time = Date | number;
type Age = Pick<Stats, "mtime">;

/** A lock with a time in the future, and when it was first seen with that time, on this process's own clock, in ms. */
interface FutureLock {
  readonly modified: number;
  readonly since: number;
}

/** The observations of one process while it waits for a lock. */
interface LockWatch {
  /** The lock that it waits for if its time is in the future. */
  future?: FutureLock | undefined;
}

/**
 * The file calls of one `proper-lockfile` lock (its `fs` option). They put a token into the lock folder, which makes
 * taking over a dead lock safe: a folder is removed only while it holds no token but those that were in it when it was
 * found stale, so that of two processes that find the same dead lock one cannot remove the other's new one. No link is
 * followed; anything but a lock of caliban's is a ForeignLockError.
 */
class LockFolder {
  readonly #token = newToken();
  readonly #stale: number;
  readonly #watch: LockWatch;
  #held = false;

  /** `stale` is the age in ms from which a lock is dead, `watch` what earlier tries saw. */
  constructor(stale: number, watch: LockWatch = {}) {
    this.#stale = stale;
    this.#watch = watch;
  }

  /** True if the lock folder is still this lock's own. */
  isOurs(folder: string): boolean {
    return this.#held && lstatOf(folder)?.isDirectory() === true &&
      lstatOf(join(folder, this.#token))?.isFile() === true;
  }

  /** Takes the lock; `EEXIST` when another has it. */
  mkdir(folder: string, done: Done): void {
    answer(done, () => {
      // Throws for anything that is not ours, where mkdir would only report that it exists.
      seenLock(folder);
      mkdirSync(folder);
      if (!this.#enters(folder)) throw Object.assign(new Error("lock taken"), { code: "EEXIST" });
      this.#held = true;
    });
  }

  /**
   * Puts the token into the folder that was just made. Between the two calls another process may have taken that for the
   * dead lock that stood there, and a third made its own: a process that finds another's token goes back.
   */
  #enters(folder: string): boolean {
    try {
      writeFileSync(join(folder, this.#token), "", { flag: "wx" });
    } catch (error) {
      if (isNotFound(error)) return false;
      removeIfEmpty(folder);
      throw error;
    }
    let isAlone = false;
    try {
      const seen = seenLock(folder);
      isAlone = seen?.tokens.length === 1 && seen.tokens[0] === this.#token;
      return isAlone;
    } finally {
      if (!isAlone) this.#leave(folder);
    }
  }

  /** Releases the lock when it is held; else removes a dead one, unless it is another's by now. */
  rmdir(folder: string, done: Done): void {
    answer(done, () => this.rmdirSync(folder));
  }

  /** The same at the exit of the process. */
  rmdirSync(folder: string): void {
    if (this.#held) {
      this.#held = false;
      this.#leave(folder);
      return;
    }
    const seen = seenLock(folder);
    if (seen === undefined) return;
    if (!this.#isDead(seen.stats)) throw locked();
    removeTokens(folder, seen);
    if (!removeIfEmpty(folder)) throw locked();
  }

  /** Takes the own token out; what else came into the folder meanwhile stays, and so does the folder then. */
  #leave(folder: string): void {
    const stats = lstatOf(folder);
    if (stats?.isDirectory() !== true) return;
    removeTokens(folder, { stats, tokens: [this.#token] });
    removeIfEmpty(folder);
  }

  /** The age of the lock, as `proper-lockfile` asks for it. */
  stat(folder: string, done: Done<Age>): void {
    answer(done, () => {
      const stats = this.#held ? lstatOf(folder) : seenLock(folder)?.stats;
      if (stats === undefined) throw gone();
      return !this.#held && this.#isDead(stats) ? { mtime: new Date(0) } : stats;
    });
  }

  /** The heartbeat. */
  utimes(folder: string, times: Time, ...rest: [Time, Done]): void {
    const [modified, done] = rest;
    answer(done, () => {
      if (!this.isOurs(folder)) throw gone();
      utimesSync(folder, times, modified);
    });
  }

  /**
   * True if no process keeps the lock alive. A time in the future (a clock was set back) does not show the age: it is dead
   * if its time does not change for as long.
   */
  #isDead({ mtimeMs }: Stats): boolean {
    const now = Date.now();
    if (mtimeMs <= now + this.#stale) {
      this.#watch.future = undefined;
      return mtimeMs < now - this.#stale;
    }
    const { future: odd } = this.#watch;
    if (odd?.modified === mtimeMs) return performance.now() - odd.since > this.#stale;
    this.#watch.future = { modified: mtimeMs, since: performance.now() };
    return false;
  }
}

function gone(): Error {
  return Object.assign(new Error("The lock is gone"), { code: "ENOENT" });
}

function locked(): Error {
  return Object.assign(new Error("Lock file is already being held"), { code: "ELOCKED" });
}

function answer<T>(done: Done<T>, call: () => T): void {
  let value: T;
  try {
    value = call();
  } catch (error) {
    done(error instanceof Error ? error : new Error(String(error)));
    return;
  }
  done(null, value);
}
