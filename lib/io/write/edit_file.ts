import { mkdirSync, readFileSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { codeOf, fileError, isNotFound } from "../runtime/file_fault.ts";
import type { FileLock } from "./file_lock.ts";
import { decodeText, requireReadable } from "../runtime/file_text.ts";
import { requireInside, requireStill } from "./inside_workspace.ts";
import { links } from "../runtime/node_runtime.ts";
import { realPathBy } from "../runtime/real_path.ts";
import { removeDeadFiles, replaceFile } from "./replace_file.ts";
import { FileError } from "../runtime/runtime.ts";

/** How a file is edited. */
export interface EditOptions {
  /**
   * The workspace (absolute path) that the file belongs to, whose links must not lead the writing out of it; null for a
   * file of the person's own, whose links are followed wherever they lead.
   */
  readonly within: string | null;
  /** How many folders above the file may be made when they are missing; 1 when left out (`.caliban/`). */
  readonly newFolders?: number;
  /** How long to wait for another process that edits it, in ms; 60,000 when left out. */
  readonly patience?: number;
}

/**
 * Edits a file (absolute path) under a lock, so that of processes that edit at once none loses what another wrote, and
 * replaces it whole, so that a crash leaves the old text or the new one. `edit` is given the text as it is under the lock
 * (a byte order mark kept; undefined when there is no file) and returns the new one, or undefined to leave it; it must
 * be pure, since it is asked again when the lock was lost. What it throws goes on and changes nothing. A path that is a
 * symbolic link stays one: its target is edited, unless the file is of a workspace that the link leads out of. Under Deno
 * it needs --allow-read, --allow-write and --allow-env. Throws FileError for everything else that fails.
 */
export async function editFile(
  path: string,
  edit: (text: string | undefined) => string | undefined,
  options: EditOptions,
): Promise<"written" | "unchanged"> {
  const { within, newFolders = 1, patience = 60_000 } = options;
  const deadline = Date.now() + patience;
  const target = failing(path, () => targetOf(path, within));
  const folder = dirname(target);
  if (failing(path, () => isMissing(folder))) {
    // Leaving what is not there must not make its folder.
    if (edit(undefined) === undefined) return "unchanged";
    failing(path, () => makeFolder(folder, { path, newFolders }));
  }
  while (true) {
    const outcome = await editLocked({ path, target, within, deadline }, edit);
    if (outcome !== "lost") return outcome;
  }
}

interface Editing {
  /** The path as it was asked for. */
  readonly path: string;
  /** The real path of the file. */
  readonly target: string;
  /** The workspace that it is in; null where its links lead wherever they do. */
  readonly within: string | null;
  /** Until when to wait for the lock, in ms since 1970. */
  readonly deadline: number;
}

async function editLocked(
  editing: Editing,
  edit: (text: string | undefined) => string | undefined,
): Promise<"written" | "unchanged" | "lost"> {
  const { path, target } = editing;
  const lock = await locked(editing);
  try {
    const before = failing(path, () => {
      checkStill(editing);
      removeDeadFiles(target);
      return readTarget(path, target);
    });
    const text = edit(before);
    if (text === undefined || text === before) return "unchanged";
    const isHeld = () => {
      checkStill(editing);
      return lock.isHeld();
    };
    return failing(path, () => replaceFile(target, { text, isHeld }) ? "written" : "lost");
  } finally {
    await lock.release().catch((error) => {
      throw writing(path, error);
    });
  }
}

async function locked({ path, target, deadline }: Editing): Promise<FileLock> {
  try {
    const { lockFile } = await loadLock();
    return await lockFile(target, deadline);
  } catch (error) {
    throw writing(path, error);
  }
}

async function loadLock(): Promise<typeof import("./file_lock.ts")> {
  const { emit } = process;
  // Loaded here because the lock's library reads the environment while it loads, which Deno may refuse.
  const loaded = await import("./file_lock.ts");
  // It also puts itself between the process and its end, where it makes 0 of the status that Deno was given.
  process.emit = emit;
  return loaded;
}

/** A link that came into the way since the path was looked at leads nothing out of a workspace. */
function checkStill({ path, target, within }: Editing): void {
  if (within !== null) requireStill(path, target);
}

/** The file that writing to a path would write: links followed, also those to what does not exist yet. */
function targetOf(path: string, within: string | null): string {
  if (within !== null) requireInside(path, within);
  const target = realPathBy(links, path);
  if (target !== null) {
    // Looked at again by itself: the link may have become another meanwhile.
    if (within !== null) requireInside(target, within);
    return target;
  }
  statSync(path); // Mostly throws the reason.
  throw new FileError(`Cannot write "${path}": its links cannot be followed`, {
    path,
    fault: "loop",
  });
}

/** Makes a folder and those above it, `newFolders` at most: a mistyped path must not grow a tree. */
function makeFolder(folder: string, options: { path: string; newFolders: number }): void {
  if (!isMissing(folder)) return;
  const { path, newFolders } = options;
  if (newFolders === 0) {
    const message = `Cannot write "${path}": there is no folder "${folder}"`;
    throw new FileError(message, { path, fault: "not-found" });
  }
  makeFolder(dirname(folder), { path, newFolders: newFolders - 1 });
  try {
    mkdirSync(folder);
  } catch (error) {
    // Another process may have made it meanwhile.
    if (codeOf(error) !== "EEXIST") throw error;
  }
}

function isMissing(folder: string): boolean {
  try {
    statSync(folder);
    return false;
  } catch (error) {
    if (isNotFound(error)) return true;
    throw error;
  }
}

function readTarget(path: string, target: string): string | undefined {
  const about = { path, verb: "write" } as const;
  try {
    const facts = statSync(target);
    requireReadable({ isFile: facts.isFile(), size: facts.size }, about);
    return decodeText(readFileSync(target), about);
  } catch (error) {
    if (isNotFound(error)) return undefined;
    throw error;
  }
}

function failing<T>(path: string, call: () => T): T {
  try {
    return call();
  } catch (error) {
    throw writing(path, error);
  }
}

function writing(path: string, error: unknown): FileError {
  return fileError(error, { path, verb: "write" });
}
