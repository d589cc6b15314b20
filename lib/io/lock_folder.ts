import {
  mkdirSync,
  readdirSync,
  rmdirSync,
  type Stats,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { codeOf, isNotFound } from "./file_fault.ts";

type Done<T = void> = (error: Error | null, value?: T) => void;
type Time = Date | number;

/**
 * The file calls of one `proper-lockfile` lock (its `fs` option). They put a token into the lock folder, which makes
 * taking over a dead lock safe: a folder is removed only while it holds no token but those that were in it when it was
 * found stale, so that of two processes that find the same dead lock one cannot remove the other's new one.
 */
export class LockFolder {
  readonly #token = crypto.randomUUID();
  readonly #stale: number;
  #held = false;

  /** `stale` is the age in ms from which a lock is dead. */
  constructor(stale: number) {
    this.#stale = stale;
  }

  /** Whether the lock folder still is this lock's own. */
  isOurs(folder: string): boolean {
    return this.#held && tokensIn(folder).includes(this.#token);
  }

  /** Takes the lock; `EEXIST` when another has it. */
  mkdir(folder: string, done: Done): void {
    answer(done, () => {
      mkdirSync(folder);
      try {
        writeFileSync(join(folder, this.#token), "", { flag: "wx" });
      } catch (error) {
        // Between the two calls another process took the folder for the dead lock that stood there: it goes first.
        throw isNotFound(error)
          ? Object.assign(new Error("lock taken"), { code: "EEXIST" })
          : error;
      }
      this.#held = true;
    });
  }

  /** Releases the lock when it is held; else removes a dead one, unless it is another's by now. */
  rmdir(folder: string, done: Done): void {
    answer(done, () => this.rmdirSync(folder));
  }

  /** The same at the exit of the process. */
  rmdirSync(folder: string): void {
    if (this.#held) {
      this.#held = false;
      removeFolder(folder, [this.#token]);
      return;
    }
    const tokens = tokensIn(folder);
    if (statSync(folder).mtimeMs >= Date.now() - this.#stale) throw locked();
    removeFolder(folder, tokens);
  }

  /** What `proper-lockfile` asks for the age of the lock. */
  stat(folder: string, done: Done<Stats>): void {
    answer(done, () => statSync(folder));
  }

  /** The heartbeat. */
  utimes(folder: string, times: Time, ...rest: [Time, Done]): void {
    const [modified, done] = rest;
    answer(done, () => utimesSync(folder, times, modified));
  }
}

function removeFolder(folder: string, tokens: readonly string[]): void {
  for (const token of tokens) {
    try {
      unlinkSync(join(folder, token));
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
  try {
    rmdirSync(folder);
  } catch (error) {
    if (codeOf(error) === "ENOTEMPTY" || codeOf(error) === "EEXIST") throw locked();
    throw error;
  }
}

function tokensIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
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
