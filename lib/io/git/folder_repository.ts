import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import type { GitRepository } from "../../pattern/path/call_path.ts";
import type { PolicyLocation } from "../load/policy_location.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** The folder that git runs in, and the workspace. */
export interface FolderOptions {
  readonly folder: string;
  readonly location: Pick<PolicyLocation, "workspace" | "workspaceReal">;
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

/** The settings of a clone, in lower case, that name no program: a repository with others is foreign. */
const PLAIN = new RegExp(
  "^(?:core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)|" +
    "extensions\\.(?:objectformat|worktreeconfig|refstorage)|remote\\..*\\.(?:url|pushurl|fetch|tagopt|prune)|" +
    "branch\\..*\\.(?:remote|merge|rebase)|submodule\\..*\\.(?:url|active|branch|ignore)|user\\.(?:name|email)|pull\\.(?:rebase|ff)|push\\.default|" +
    "fetch\\.prune|lfs\\.repositoryformatversion|(?:advice|color|gc)\\..*)$",
);

/** A remote's URL that runs a helper, or hooks of another folder. */
const LOCAL_URL = /::|^(?:[./~]|file:)/;

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
  readonly #workspaces: readonly string[];

  constructor(runtime: Runtime, { location }: FolderOptions) {
    this.#runtime = runtime;
    this.#workspaces = [location.workspace, location.workspaceReal];
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
    if (this.#isThere(folder, ".git")) {
      if (this.#isAtOrAboveWorkspace(folder)) return "plain";
      const holder = this.#gitFolder(folder);
      // Git passes over a folder `.git` that is no repository, and refuses a file `.git` that names none.
      if (holder !== undefined) return this.#isPlain(holder) ? "plain" : "foreign";
    }
    if (!this.#isGitFolder(folder)) return undefined;
    return this.#isInOwnGit(folder) ? "own" : "foreign";
  }

  #isAtOrAboveWorkspace(folder: string): boolean {
    return this.#workspaces.some((each) =>
      ancestors(each, this.#runtime.platform).includes(folder)
    );
  }

  /** True for the `.git` of the workspace and what lies below it. */
  #isInOwnGit(folder: string): boolean {
    const { join } = pathStyle(this.#runtime.platform);
    const above = new Set(ancestors(folder, this.#runtime.platform));
    return this.#workspaces.some((workspace) =>
      ancestors(workspace, this.#runtime.platform).some((each) => above.has(join(each, ".git")))
    );
  }

  /** `.git` itself, or the folder that it names where it is a file; undefined if that is no repository. */
  #gitFolder(holder: string): string | undefined {
    const { join, absolute } = pathStyle(this.#runtime.platform);
    const path = join(holder, ".git");
    if (this.#runtime.stat(path) !== "file") return this.#isGitFolder(path) ? path : undefined;
    const named = /^gitdir:\s*(.+?)\s*$/.exec(this.#runtime.readText(path))?.[1];
    return named === undefined ? path : this.#runtime.realPath(absolute(named, holder)) ?? path;
  }

  /** True if git takes a folder for a repository. Source: `is_git_directory` in setup.c. */
  #isGitFolder(folder: string): boolean {
    if (!this.#isThere(folder, "HEAD")) return false;
    return this.#isThere(folder, "commondir") ||
      this.#isThere(folder, "objects") && this.#isThere(folder, "refs");
  }

  #isThere(folder: string, name: string): boolean {
    const { join } = pathStyle(this.#runtime.platform);
    return this.#runtime.stat(folder) === "directory" && this.#runtime.isThere(join(folder, name));
  }

  /** True if the configuration of a repository names no program, and it has no hook of its own. */
  #isPlain(own: string): boolean {
    const { join, absolute } = pathStyle(this.#runtime.platform);
    const named = this.#textAt(join(own, "commondir"))?.trim();
    const shared = named === undefined || named === "" ? own : absolute(named, own);
    const isModule = this.#isInOwnGit(own);
    const texts = [join(shared, "config"), join(own, "config.worktree")].map((path) =>
      this.#textAt(path) ?? ""
    );
    if (!texts.every((text) => isPlainConfig(text, { isModule }))) return false;
    // The hooks of a submodule or worktree lie in the workspace's own `.git`, which is protected.
    return isModule || !HOOKS.some((name) => this.#runtime.isThere(join(shared, "hooks", name)));
  }

  #textAt(path: string): string | undefined {
    return this.#runtime.stat(path) === "file" ? this.#runtime.readText(path) : undefined;
  }
}

function isPlainConfig(text: string, { isModule }: { readonly isModule: boolean }): boolean {
  let section = "";
  return text.split("\n").every((written) => {
    const line = written.trim();
    if (line === "" || /^[#;]/.test(line)) return true;
    const header = /^\[([\w.-]+)(?:\s+"([^"\\]*)")?\]$/.exec(line);
    if (header) {
      section = header[2] === undefined ? header[1]! : `${header[1]}.${header[2]}`;
      return true;
    }
    const [, name, value] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*[^\\]|))?$/.exec(line) ?? [];
    if (name === undefined) return false;
    const key = `${section}.${name}`.toLowerCase();
    if (key === "core.worktree") return isModule;
    if (/url$/.test(key) && LOCAL_URL.test(value ?? "")) return false;
    return PLAIN.test(key);
  });
}
