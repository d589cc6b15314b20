import { folderOf, isDangling } from "../runtime/real_path.ts";
import { FileError, type FileKind, type Runtime } from "../runtime/runtime.ts";

/**
 * A runtime that looks at each path once, and at none below a folder that is missing: for one load, which takes moments, of all that
 * one call is answered by. Every later load needs a new one, because files change. A look that fails is made again.
 */
export function loadLooks(runtime: Runtime): Runtime {
  const kinds = new Map<string, FileKind | undefined>();
  const there = new Map<string, boolean>();
  const reals = new Map<string, string>();
  const isMissing = (path: string) => {
    const folder = folderOf(path);
    return there.get(path) === false || folder !== undefined && there.get(folder) === false;
  };
  const found = (path: string) => {
    there.set(path, true);
    const folder = folderOf(path);
    if (folder === undefined) return;
    there.set(folder, true);
    kinds.set(folder, "directory");
  };
  return {
    ...runtime,
    stat(path) {
      if (kinds.has(path)) return kinds.get(path);
      const kind = isMissing(path) ? undefined : runtime.stat(path);
      kinds.set(path, kind);
      if (kind !== undefined) found(path);
      return kind;
    },
    isThere(path) {
      if (there.get(path)) return true;
      const is = !isMissing(path) && runtime.isThere(path);
      if (is) found(path);
      else there.set(path, false);
      return is;
    },
    realPath(path, known) {
      const real = reals.get(path) ?? runtime.realPath(path, known);
      if (real !== null) reals.set(path, real);
      else kinds.delete(path); // stat tells why
      return real;
    },
  };
}

/**
 * The kind of a file that is mostly absent, links followed; undefined if nothing is there, and `dead` for a path that is, or goes
 * through, a link to nothing. Throws FileError if that is unknown.
 */
export function kindAt(runtime: Runtime, path: string): FileKind | "dead" | undefined {
  const folder = folderOf(path);
  // In most runtimes a look that finds nothing throws, which is slow, so this makes as few of them as it can.
  const isSeen = folder !== undefined && (isAbsent(runtime, folder) || isAbsent(runtime, path));
  const kind = isSeen ? undefined : runtime.stat(path);
  if (kind !== undefined) return kind;
  return isDangling(runtime, path) ? "dead" : undefined;
}

/** True if nothing is at a path, not even a link; false if that is unknown, which `stat` then tells. */
export function isAbsent(runtime: Runtime, path: string): boolean {
  try {
    return !runtime.isThere(path);
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
