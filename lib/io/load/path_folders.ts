import type { PolicyLocation } from "./policy_location.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** The machine, and the folders of the policy. */
export interface Surroundings {
  readonly runtime: Runtime;
  readonly location: Pick<PolicyLocation, "workspace" | "workspaceReal" | "platform">;
}

/** A folder of the PATH. */
export interface PathFolder {
  /** Its path without slashes at the end. */
  readonly path: string;
  /** True for one in which the line itself could put a program: it is relative, or in the workspace or a temporary folder. */
  readonly isNear: boolean;
  /** `Runtime.folderMark`; absent where no looks are remembered. */
  readonly mark?: string | undefined;
}

/** Folders that every user may write. */
const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/** The folders of the PATH in their order, each looked at when it is asked for. Throws FileError. */
export function* pathFolders(
  { runtime }: Surroundings,
  near: readonly string[],
): Iterable<PathFolder> {
  for (const folder of (runtime.env("PATH") ?? "").split(":")) {
    const isNear = !folder.startsWith("/") || isBelowAny(folder, near) ||
      isBelowAny(runtime.realPath(folder) ?? "/tmp", near);
    yield { path: folder.replace(/\/+$/, ""), isNear };
  }
}

/** The workspace and the temporary folders. Throws FileError. */
export function nearFolders({ runtime, location }: Surroundings): readonly string[] {
  const own = [location.workspace, location.workspaceReal, runtime.env("TMPDIR") ?? ""];
  return [...own.filter((folder) => folder.startsWith("/")), ...TEMPORARY];
}

/** True if a path is one of some folders, or lies below one. */
export function isBelowAny(path: string, folders: readonly string[]): boolean {
  return folders.some((folder) =>
    path === folder || path.startsWith(`${folder.replace(/\/+$/, "")}/`)
  );
}

/** The most names of a folder, and the most folders, of which it is remembered that they are missing. */
const MOST_NAMES = 4_096;
const MOST_FOLDERS = 256;

/**
 * Names that are in none of the folders of the PATH. INVARIANT: a name counts as missing only while its folder has the mark that it had
 * before the look that missed the name. The file system gives a folder another mark when a name comes into it, and so the mark is a
 * look at all of its names; a dead link, whose target may come without a change of the folder, is never remembered.
 */
export class MissingNames {
  readonly #runtime: Runtime;
  readonly #folders = new Map<string, { readonly mark: string; readonly names: Set<string> }>();

  constructor(runtime: Runtime) {
    this.#runtime = runtime;
  }

  /** True if a name leads to nothing in a folder. Throws FileError if that is unknown. */
  has(name: string, { path, mark }: PathFolder): boolean {
    const known = this.#folders.get(path);
    if (known !== undefined && known.mark === mark && known.names.has(name)) return true;
    const file = `${path}/${name}`;
    if (this.#runtime.stat(file) !== undefined) return false;
    if (mark !== undefined && !this.#runtime.isThere(file)) this.#add(name, path, mark);
    return true;
  }

  #add(name: string, path: string, mark: string): void {
    let known = this.#folders.get(path);
    if (known === undefined || known.mark !== mark || known.names.size >= MOST_NAMES) {
      if (this.#folders.size >= MOST_FOLDERS) this.#folders.clear();
      this.#folders.set(path, known = { mark, names: new Set() });
    }
    known.names.add(name);
  }
}
