import { mkdirSync, type Stats, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { isNotFound } from "../runtime/file_fault.ts";
import { newToken, removeIfEmpty, removeTokens, seenLock } from "./lock_tokens.ts";
import { lstatOf } from "./lstat_of.ts";

type Done<T = void> = (error: Error | null, value?: T) => void;
type Time = Date | number;
type Age = Pick<Stats, "mtime">;

/** A lock of the future: when (on this process's own clock, in ms) it was first seen with that time. */
interface Odd {
  readonly modified: number;
  readonly since: number;
}

/** What one process sees of a lock while it tries again and again. */
export interface LockWatch {
  /** What it waits for when the lock is younger than now. */
  odd?: Odd | undefined;
}

/**
 * The file calls of one `proper-lockfile` lock (its `fs` option). They put a token into the lock folder, which makes
 * taking over a dead lock safe: a folder is removed only while it holds no token but those that were in it when it was
 * found stale, so that of two processes that find the same dead lock one cannot remove the other's new one. No link is
 * followed, and what is no lock of caliban's is a ForeignLockError.
 */
export class LockFolder {
  readonly #token = newToken();
  readonly #stale: number;
  readonly #watch: LockWatch;
  #held = false;

  /** `stale` is the age in ms from which a lock is dead, `watch` what earlier tries saw. */
  constructor(stale: number, watch: LockWatch = {}) {
    this.#stale = stale;
    this.#watch = watch;
  }

  /** Whether the lock folder still is this lock's own. */
  isOurs(folder: string): boolean {
    return this.#held && lstatOf(folder)?.isDirectory() === true &&
      lstatOf(join(folder, this.#token))?.isFile() === true;
  }

  /** Takes the lock; `EEXIST` when another has it. */
  mkdir(folder: string, done: Done): void {
    answer(done, () => {
      // Throws for what is not ours, which mkdir would only say to exist.
      seenLock(folder);
      mkdirSync(folder);
      if (!this.#enters(folder)) throw Object.assign(new Error("lock taken"), { code: "EEXIST" });
      this.#held = true;
    });
  }

  /**
   * Puts the token into the folder that was just made. Between the two calls another process may have taken that for the
   * dead lock that stood there, and a third made its own: whoever finds another's token goes back.
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
    if (!this.#isDead(seen.facts)) throw locked();
    removeTokens(folder, seen);
    if (!removeIfEmpty(folder)) throw locked();
  }

  /** Takes the own token out; what else came into the folder meanwhile stays, and so does the folder then. */
  #leave(folder: string): void {
    const facts = lstatOf(folder);
    if (facts?.isDirectory() !== true) return;
    removeTokens(folder, { facts, tokens: [this.#token] });
    removeIfEmpty(folder);
  }

  /** What `proper-lockfile` asks for the age of the lock. */
  stat(folder: string, done: Done<Age>): void {
    answer(done, () => {
      const facts = this.#held ? lstatOf(folder) : seenLock(folder)?.facts;
      if (facts === undefined) throw gone();
      return !this.#held && this.#isDead(facts) ? { mtime: new Date(0) } : facts;
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
   * Whether nobody keeps the lock alive. One from the future says nothing by its age (a clock was set back): it is dead
   * when its time stands still for as long.
   */
  #isDead({ mtimeMs }: Stats): boolean {
    const now = Date.now();
    if (mtimeMs <= now + this.#stale) {
      this.#watch.odd = undefined;
      return mtimeMs < now - this.#stale;
    }
    const { odd } = this.#watch;
    if (odd?.modified === mtimeMs) return performance.now() - odd.since > this.#stale;
    this.#watch.odd = { modified: mtimeMs, since: performance.now() };
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
