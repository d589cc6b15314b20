import { mkdirSync, readFileSync, readlinkSync, realpathSync, statSync } from "node:fs";
import { dirname } from "node:path";
import process from "node:process";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { codeOf, decodeText, fileError, requireReadable } from "../runtime/file_fault.ts";
import { ifThere, lstatOf } from "../runtime/file_calls.ts";
import { linksBy } from "../runtime/node_links.ts";
import { realPathBy } from "../runtime/real_path.ts";
import { FileError } from "../runtime/runtime.ts";
import type { FileLock } from "./file_lock.ts";
import { removeDeadFiles, replaceFile } from "./replace_file.ts";

/** Options of `editFile`. */
export interface EditOptions {
  /**
   * The workspace (absolute path) that the file belongs to, whose links must not lead the writing out of it; null for a
   * file of the person's own, whose links are followed wherever they lead.
   */
  readonly within: string | null;
  /** The most missing folders above the file that may be made; 1 by default (`.caliban/`). */
  readonly newFolders?: number;
  /** The time to wait for another process that edits it, in ms; 60,000 by default. */
  readonly patience?: number;
  /** The mode of a new file; 0644 by default. */
  readonly mode?: number;
  /** Called under the lock, after the new text is in place. */
  readonly written?: (change: FileChange) => Promise<void>;
}

/** A file's texts before and after an edit, byte order marks kept. */
export interface FileChange {
  /** Undefined for a new file. */
  readonly before: string | undefined;
  readonly after: string;
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
  const { within, newFolders = 1, patience = 60_000, mode, written } = options;
  const deadline = Date.now() + patience;
  const target = failing(path, () => targetOf(path, within));
  const folder = dirname(target);
  if (failing(path, () => isMissing(folder))) {
    // No folder is made for a file that is not written.
    if (edit(undefined) === undefined) return "unchanged";
    failing(path, () => makeFolder(folder, { path, newFolders }));
  }
  while (true) {
    const outcome = await editLocked({ path, target, within, deadline, mode, written }, edit);
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
  readonly mode: EditOptions["mode"] | undefined;
  readonly written: EditOptions["written"] | undefined;
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
    const isWritten = failing(
      path,
      () => replaceFile(target, { text, isHeld, mode: editing.mode }),
    );
    if (isWritten) await editing.written?.({ before, after: text });
    return isWritten ? "written" : "lost";
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
  // Loaded here because the lock's library reads the environment while loading, which Deno may refuse.
  const loaded = await import("./file_lock.ts");
  // Its exit handler would also turn the status that Deno was given into 0.
  process.emit = emit;
  return loaded;
}

/** Checks that no link that was made since leads out of the workspace. */
function checkStill({ path, target, within }: Editing): void {
  if (within !== null) requireStill(path, target);
}

const links = linksBy({ realpathSync, readlinkSync });

/** The file that writing to a path would write, with links followed, also those to missing files. */
function targetOf(path: string, within: string | null): string {
  if (within !== null) requireInside(path, within);
  const target = realPathBy(links, path);
  if (target !== null) {
    // Checked again by itself: the link may have changed meanwhile.
    if (within !== null) requireInside(target, within);
    return target;
  }
  statSync(path); // Usually throws the reason.
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
  return ifThere(() => statSync(folder)) === undefined;
}

function readTarget(path: string, target: string): string | undefined {
  const about = { path, verb: "write" } as const;
  return ifThere(() => {
    const stats = statSync(target);
    requireReadable({ isFile: stats.isFile(), size: stats.size }, about);
    return decodeText(readFileSync(target), about);
  });
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

/**
 * Refuses to write a file (absolute path) of a workspace where a link on its way, or the file as one, leads out of that: a
 * cloned project comes with its links. One that stays in it is fine. Throws FileError that names the link and its target.
 */
export function requireInside(path: string, workspace: string): void {
  const style = pathStyle(links.platform);
  const top = realPathBy(links, workspace) ?? workspace;
  const { root, segments } = style.split(path);
  const depth = style.split(workspace).segments.length;
  for (let count = depth + 1; count <= segments.length; count++) {
    const part = style.build({ root, segments: segments.slice(0, count) });
    if (lstatOf(part)?.isSymbolicLink() !== true) continue;
    const target = realPathBy(links, part);
    // A circle is found by following it.
    if (target !== null && !isIn(target, top)) throw leadsOut(path, { link: part, target });
  }
  const target = realPathBy(links, path);
  if (target !== null && !isIn(target, top)) throw leadsOut(path, { link: path, target });
}

/** Refuses to go on where the folder of a file (its real path) became a link, or has one above it by now. */
function requireStill(path: string, target: string): void {
  const folder = dirname(target);
  if (realPathBy(links, folder) === folder) return;
  const message = `Cannot write "${path}": its folder "${folder}" was replaced meanwhile`;
  throw new FileError(message, { path, fault: "other" });
}

function leadsOut(
  path: string,
  { link, target }: { readonly link: string; readonly target: string },
): FileError {
  const message =
    `Cannot write "${path}": the link "${link}" leads out of the workspace, to "${target}"`;
  return new FileError(message, { path, fault: "other" });
}

function isIn(path: string, folder: string): boolean {
  const style = pathStyle(links.platform);
  const [inner, outer] = [style.split(path), style.split(folder)];
  return inner.root.toLowerCase() === outer.root.toLowerCase() &&
    outer.segments.every((segment, index) => segment === inner.segments[index]);
}
