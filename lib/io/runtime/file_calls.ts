import { lstatSync, readdirSync, type Stats, unlinkSync } from "node:fs";
import { isNotFound } from "./file_fault.ts";

/** Source of a regular expression for the texts of `crypto.randomUUID`. */
export const UUID = "[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}";

/** The result of a call; undefined if nothing is at its path. Throws the runtime's own errors. */
export function ifThere<T>(call: () => T): T | undefined {
  try {
    return call();
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** The stats of a path, a link not followed; undefined if nothing is there. */
export function lstatOf(path: string): Stats | undefined {
  return ifThere(() => lstatSync(path));
}

/** The names in a folder; none if there is no folder. */
export function namesIn(folder: string): readonly string[] {
  return ifThere(() => readdirSync(folder)) ?? [];
}

/** Removes a file or link; does nothing if nothing is there. */
export function removeIfThere(path: string): void {
  ifThere(() => unlinkSync(path));
}

/** True if two stats are of the same file or folder. */
export function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino &&
    one.isDirectory() === other.isDirectory();
}
