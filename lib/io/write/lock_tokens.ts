import { readdirSync, rmdirSync, type Stats, unlinkSync } from "node:fs";
import { join } from "node:path";
import { codeOf, isNotFound } from "../runtime/file_fault.ts";
import { isSame, lstatOf } from "./lstat_of.ts";
import { UUID } from "./uuid.ts";

/** Also without its end, as they were named before. */
const TOKEN = new RegExp(`^${UUID}(?:\\.caliban-token)?$`);

/** What stands in a lock's place was not made by caliban: nothing of it may be removed or changed. */
export class ForeignLockError extends Error {
  /** The lock's path and what it is, one clause without a final full stop. */
  readonly detail: string;

  constructor(detail: string) {
    super(detail);
    this.detail = detail;
    this.name = "ForeignLockError";
  }
}

/** A lock folder as it was seen at one moment. */
export interface SeenLock {
  /** What the folder is. */
  readonly facts: Stats;
  /** The names of its tokens; it has nothing else. */
  readonly tokens: readonly string[];
}

/** A new token's name, which nobody else gives a file. */
export function newToken(): string {
  return `${crypto.randomUUID()}.caliban-token`;
}

/**
 * A lock folder with its tokens; undefined when there is none, or when it changed meanwhile. Follows no link. Throws
 * ForeignLockError for what caliban did not make: all but a real folder in which there are only tokens, and those empty.
 */
export function seenLock(folder: string): SeenLock | undefined {
  const facts = lstatOf(folder);
  if (facts === undefined) return undefined;
  if (!facts.isDirectory()) throw notAFolder(folder, facts);
  const names = namesIn(folder);
  const foreign = names.find((name) => {
    const entry = lstatOf(join(folder, name));
    return entry !== undefined && !isToken(name, entry);
  });
  const now = lstatOf(folder);
  if (now === undefined || !isSame(facts, now)) return undefined;
  if (foreign === undefined) return { facts, tokens: names };
  throw new ForeignLockError(
    `"${folder}" holds "${foreign}", which is not caliban's: look what it is, then move that folder away`,
  );
}

/**
 * Removes tokens from the folder that was seen, each only while the folder still is that one and the token an empty file.
 * Node has no call that unlinks below an open folder: whoever puts a link in the folder's place between two calls could
 * lose an empty file that is named like a token, and nothing else.
 */
export function removeTokens(folder: string, { facts, tokens }: SeenLock): void {
  for (const token of tokens) {
    const path = join(folder, token);
    const entry = lstatOf(path);
    const now = lstatOf(folder);
    if (now === undefined || !isSame(facts, now)) return;
    if (entry === undefined || !isToken(token, entry)) continue;
    try {
      unlinkSync(path);
    } catch (error) {
      if (!isNotFound(error)) throw error;
    }
  }
}

/** Removes the folder when it is empty, and answers whether it is gone; a link in its place is not followed. */
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

function notAFolder(folder: string, facts: Stats): ForeignLockError {
  const kind = facts.isSymbolicLink() ? "symbolic link" : facts.isFile() ? "file" : "special file";
  return new ForeignLockError(
    `"${folder}" is a ${kind}, not a lock of caliban's: remove it if you did not put it there`,
  );
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch (error) {
    if (isNotFound(error)) return [];
    throw error;
  }
}
