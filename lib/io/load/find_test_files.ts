import { type Dirent, readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { TEST_FILE_END } from "../../suite/test_file.ts";
import { fileError, isNotFound, reading } from "../runtime/file_fault.ts";
import { FileError } from "../runtime/runtime.ts";

/** Folders with files of others. */
const SKIPPED: readonly string[] = ["node_modules", ".git"];

/** The most files and folders to search. */
const MOST = 50_000;

interface Search {
  readonly found: string[];
  seen: number;
}

/**
 * Every `*.perms.toml` of a workspace: beside its `.caliban` folder and anywhere below that. Sorted by path. Throws
 * FileError when a folder cannot be read.
 */
export function findTestFiles(workspace: string): readonly string[] {
  const policies = join(workspace, ".caliban");
  const search: Search = { found: [], seen: 0 };
  for (const entry of entriesOf(workspace)) {
    if (isTestFile(entry)) search.found.push(join(workspace, entry.name));
  }
  if (isFolder(policies)) searchFolder(policies, search);
  return search.found.toSorted();
}

/** Every `*.perms.toml` anywhere below a folder, sorted by path. Links to folders are not followed. Throws FileError. */
export function testFilesBelow(folder: string): readonly string[] {
  const search: Search = { found: [], seen: 0 };
  searchFolder(folder, search);
  return search.found.toSorted();
}

function searchFolder(folder: string, search: Search): void {
  for (const entry of entriesOf(folder)) {
    const path = join(folder, entry.name);
    if (++search.seen > MOST) {
      const message = `Cannot look for tests in "${folder}": it contains too many files; name them`;
      throw new FileError(message, { path: folder, fault: "other" });
    }
    if (isTestFile(entry)) search.found.push(path);
    else if (entry.isDirectory() && !SKIPPED.includes(entry.name)) searchFolder(path, search);
  }
}

function isTestFile(entry: Dirent): boolean {
  return !entry.isDirectory() && entry.name.endsWith(TEST_FILE_END);
}

function entriesOf(folder: string): readonly Dirent[] {
  return reading(folder, () => readdirSync(folder, { withFileTypes: true }));
}

function isFolder(path: string): boolean {
  try {
    return statSync(path).isDirectory();
  } catch (error) {
    if (isNotFound(error)) return false;
    throw fileError(error, { path, verb: "read" });
  }
}
