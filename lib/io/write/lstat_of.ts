import { lstatSync, type Stats } from "node:fs";
import { isNotFound } from "../runtime/file_fault.ts";

/** What stands at a path, a link not followed; undefined when nothing does. Throws the runtime's own errors. */
export function lstatOf(path: string): Stats | undefined {
  try {
    return lstatSync(path);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

/** Whether two looks saw the same file or folder. */
export function isSame(one: Stats, other: Stats): boolean {
  return one.dev === other.dev && one.ino === other.ino &&
    one.isDirectory() === other.isDirectory();
}
