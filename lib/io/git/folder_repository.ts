import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import type { GitRepository } from "../../pattern/path/call_path.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { GitFolders, programSetting, type WorkspaceFolders } from "./git_folders.ts";

/** The folder that git runs in, and the workspace. */
export interface FolderOptions {
  readonly folder: string;
  readonly location: WorkspaceFolders;
  /** Folders of repositories that the user names as one's own: `~/src/*`. */
  readonly repositories?: readonly string[];
}

/**
 * The repository that git would use in a folder, found as git does: upwards, in each folder first `.git`, then the folder
 * itself as a bare repository. Starts no process and never throws: what cannot be read is foreign.
 */
export function folderRepository(runtime: Runtime, options: FolderOptions): GitRepository {
  try {
    return new Finder(runtime, options).find(options.folder);
  } catch (error) {
    if (error instanceof FileError || error instanceof RangeError) return "foreign";
    throw error;
  }
}

/** Hooks that git runs beside ordinary commands. Source: githooks(5). */
const HOOKS = [
  "applypatch-msg",
  "commit-msg",
  "fsmonitor-watchman",
  "post-applypatch",
  "post-checkout",
  "post-commit",
  "post-index-change",
  "post-merge",
  "post-rewrite",
  "pre-applypatch",
  "pre-auto-gc",
  "pre-commit",
  "pre-merge-commit",
  "pre-push",
  "pre-rebase",
  "prepare-commit-msg",
  "reference-transaction",
];

class Finder {
  readonly #runtime: Runtime;
  readonly #folders: GitFolders;

  constructor(runtime: Runtime, { location, repositories }: FolderOptions) {
    this.#runtime = runtime;
    this.#folders = new GitFolders(runtime, location, repositories);
  }

  find(folder: string): GitRepository {
    for (const at of ancestors(folder, this.#runtime.platform)) {
      const found = this.#repositoryIn(at);
      if (found === "foreign") return "foreign";
      if (found === "plain") {
        const start = ancestors(folder, this.#runtime.platform)[0];
        return at === start ? "here" : "above";
      }
      if (found === "own") return "above";
    }
    return "above";
  }

  /** `plain`: a work tree whose configuration names no program, or the workspace's. `own`: inside the workspace's `.git`. */
  #repositoryIn(folder: string): "plain" | "own" | "foreign" | undefined {
    if (this.#folders.isThere(folder, ".git")) {
      if (this.#folders.isAtOrAboveWorkspace(folder)) return "plain";
      const holder = this.#folders.gitFolder(folder);
      // Git passes over a folder `.git` that is no repository, and refuses a file `.git` that names none.
      if (holder !== undefined) {
        return this.#isPlain(holder, folder) ? "plain" : "foreign";
      }
    }
    if (!this.#folders.isGitFolder(folder)) return undefined;
    return this.#folders.isInOwnGit(folder) ? "own" : "foreign";
  }

  /** True if the configuration of a repository names no program, and it has no hook of its own or is named by the user. */
  #isPlain(path: string, root: string): boolean {
    const { join } = pathStyle(this.#runtime.platform);
    const { shared, isModule, settings } = this.#folders.read(path);
    if (settings === undefined || programSetting(settings, { isModule })) return false;
    // The hooks of a submodule or worktree lie in the workspace's own `.git`, which is protected.
    return isModule || this.#folders.isNamed(root) ||
      !HOOKS.some((name) => this.#runtime.isThere(join(shared, "hooks", name)));
  }
}
