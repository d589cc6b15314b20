import { rmdirSync, type Stats } from "node:fs";
import { join } from "node:path";
import { codeOf, isNotFound } from "../runtime/file_fault.ts";
import { isSame, lstatOf, namesIn, removeIfThere, UUID } from "../runtime/file_calls.ts";

/** The suffix is optional, since older versions had none. */
const TOKEN = new RegExp(`^${UUID}(?:\\.caliban-token)?$`);

/** Something in a lock's place was not made by caliban, so nothing of it may be removed or changed. */
export class ForeignLockError extends Error {
  /** The lock's path and its kind, one clause without a final full stop. */
  readonly detail: string;

  constructor(detail: string) {
    super(detail);
    this.detail = detail;
    this.name = "ForeignLockError";
  }
}

/** A lock folder as it was seen at one moment. */
export interface SeenLock {
  /** The folder's stats. */
  readonly stats: Stats;
  /** The names of its tokens; it has nothing else. */
  readonly tokens: readonly string[];
}

/** A new token's name, which no other program uses. */
export function newToken(): string {
  return `${crypto.randomUUID()}.caliban-token`;
}

/**
 * A lock folder with its tokens; undefined when there is none, or when it changed meanwhile. Follows no link. Throws
 * ForeignLockError for what caliban did not make: all but a real folder in which there are only tokens, and those empty.
 */
export function seenLock(folder: string): SeenLock | undefined {
  const stats = lstatOf(folder);
  if (stats === undefined) return undefined;
  if (!stats.isDirectory()) throw notAFolder(folder, stats);
  const names = namesIn(folder);
  const foreign = names.find((name) => {
    const entry = lstatOf(join(folder, name));
    return entry !== undefined && !isToken(name, entry);
  });
  const now = lstatOf(folder);
  if (now === undefined || !isSame(stats, now)) return undefined;
  if (foreign === undefined) return { stats, tokens: names };
  throw new ForeignLockError(
    `"${folder}" holds "${foreign}", which is not caliban's: check it, then move that folder away`,
  );
}

/**
 * Removes tokens from the folder that was seen, each only while the folder still is that one and the token an empty file.
 * Node has no call that unlinks below an open folder: a link put in the folder's place between two calls could cost an empty
 * file that is named like a token, and nothing else.
 */
export function removeTokens(folder: string, { stats, tokens }: SeenLock): void {
  for (const token of tokens) {
    const path = join(folder, token);
    const entry = lstatOf(path);
    const now = lstatOf(folder);
    if (now === undefined || !isSame(stats, now)) return;
    if (entry === undefined || !isToken(token, entry)) continue;
    removeIfThere(path);
  }
}

/** Removes the folder if it is empty, and returns true if it is gone; does not follow a link in its place. */
export function removeIfEmpty(folder: string): boolean {
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    if (isNotFound(error)) return true;
    if (["ENOTEMPTY", "EEXIST"].includes(codeOf(error) ?? "")) return false;
    throw error;
  }
}

function isToken(name: string, entry: Stats): boolean {
  return TOKEN.test(name) && entry.isFile() && entry.size === 0;
}

function notAFolder(folder: string, stats: Stats): ForeignLockError {
  const kind = stats.isSymbolicLink() ? "symbolic link" : stats.isFile() ? "file" : "special file";
  return new ForeignLockError(
    `"${folder}" is a ${kind}, not a lock of caliban's: remove it if you did not put it there`,
  );
}
