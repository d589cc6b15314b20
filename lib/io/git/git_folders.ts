import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import type { PolicyLocation } from "../load/policy_location.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** The workspace of a look for repositories. */
export type WorkspaceFolders = Pick<
  PolicyLocation,
  "workspace" | "workspaceReal" | "home" | "homeReal"
>;

/** A git folder, with what it shares with others: a worktree has only a part of its own. */
export interface GitFolder {
  readonly own: string;
  readonly shared: string;
  /** True if it is in the workspace's own `.git`. */
  readonly isModule: boolean;
  /** The settings of its configuration; undefined if a line of it cannot be read. */
  readonly settings: ReturnType<typeof settingsIn>;
}

/** The most bytes of a repository's configuration, which may be that of a clone; a larger one is not known. */
const MOST_CONFIG = 1_048_576;

/** The folders of repositories on a machine. Its methods throw FileError. */
export class GitFolders {
  readonly #runtime: Runtime;
  readonly #location: WorkspaceFolders;
  readonly #workspaces: readonly string[];
  /** Folders of repositories that the user names as one's own: `~/src/*`. */
  readonly #repositories: readonly string[];

  constructor(
    runtime: Runtime,
    location: WorkspaceFolders,
    repositories: readonly string[] = [],
  ) {
    this.#runtime = runtime;
    this.#location = location;
    this.#workspaces = [location.workspace, location.workspaceReal];
    this.#repositories = repositories;
  }

  /** True for the root of a repository that the user names as one's own. */
  isNamed(root: string): boolean {
    const { home, homeReal } = this.#location;
    const { split } = pathStyle(this.#runtime.platform);
    const own = split(root).segments;
    return this.#repositories.some((glob) => {
      const starts = glob.startsWith("~") ? [home, homeReal] : [""];
      return starts.some((start) => {
        if (start === undefined) return false;
        const names = [...split(start).segments, ...split(glob.replace(/^~/, "")).segments];
        return names.length === own.length && names.every((name, at) => isName(own[at]!, name));
      });
    });
  }

  isAtOrAboveWorkspace(folder: string): boolean {
    return this.#workspaces.some((each) =>
      ancestors(each, this.#runtime.platform).includes(folder)
    );
  }

  /** True for the `.git` of the workspace and what lies below it. */
  isInOwnGit(folder: string): boolean {
    const { join } = pathStyle(this.#runtime.platform);
    const above = new Set(ancestors(folder, this.#runtime.platform));
    return this.#workspaces.some((workspace) =>
      ancestors(workspace, this.#runtime.platform).some((each) => above.has(join(each, ".git")))
    );
  }

  /** `.git` itself, or the folder that it names where it is a file; undefined if that is no repository. */
  gitFolder(holder: string): string | undefined {
    const { join, absolute } = pathStyle(this.#runtime.platform);
    const path = join(holder, ".git");
    if (this.#runtime.stat(path) !== "file") return this.isGitFolder(path) ? path : undefined;
    const named = /^gitdir:\s*(.+?)\s*$/.exec(this.#runtime.readText(path))?.[1];
    return named === undefined ? path : this.#runtime.realPath(absolute(named, holder)) ?? path;
  }

  /** True if git takes a folder for a repository. Source: `is_git_directory` in setup.c. */
  isGitFolder(folder: string): boolean {
    if (!this.isThere(folder, "HEAD")) return false;
    return this.isThere(folder, "commondir") ||
      this.isThere(folder, "objects") && this.isThere(folder, "refs");
  }

  isThere(folder: string, name: string): boolean {
    return this.#runtime.isThere(pathStyle(this.#runtime.platform).join(folder, name));
  }

  /** The parts and settings of a git folder. */
  read(own: string): GitFolder {
    const { join, absolute } = pathStyle(this.#runtime.platform);
    const named = this.textAt(join(own, "commondir"))?.trim();
    const shared = named === undefined || named === "" ? own : absolute(named, own);
    const parts = [join(shared, "config"), join(own, "config.worktree")].map((path) =>
      settingsIn(this.textAt(path, MOST_CONFIG) ?? "")
    );
    const settings = parts.every((part) => part !== undefined) ? parts.flat() : undefined;
    return { own, shared, isModule: this.isInOwnGit(own), settings };
  }

  /** The text of a file; undefined if none is there. Throws FileError, also for one of more than `most` bytes. */
  textAt(path: string, most?: number): string | undefined {
    return this.#runtime.stat(path) === "file" ? this.#runtime.readText(path, most) : undefined;
  }
}

/** True if `*` in a pattern stands for a part of a name; a hidden name needs a dot. */
function isName(name: string, pattern: string): boolean {
  if (name.startsWith(".") && !pattern.startsWith(".")) return false;
  const parts = pattern.split("*").map((part) => part.replace(/[.+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${parts.join("[^/]*")}$`).test(name);
}

/** The settings of a clone, in lower case, that name no program: a repository with others is foreign. */
const PLAIN = new RegExp(
  "^(?:core\\.(?:repositoryformatversion|filemode|bare|logallrefupdates|ignorecase|precomposeunicode|symlinks|autocrlf|eol)|" +
    "extensions\\.(?:objectformat|worktreeconfig|refstorage)|remote\\..*\\.(?:url|pushurl|fetch|tagopt|prune|gh-resolved)|" +
    "branch\\..*\\.(?:remote|merge|rebase|pushremote|description|vscode-merge-base|gh-merge-base|github-pr-owner-number)|" +
    "submodule\\..*\\.(?:url|active|branch|ignore)|user\\.(?:name|email)|pull\\.(?:rebase|ff)|push\\.(?:default|autosetupremote)|" +
    "fetch\\.prune|lfs\\.repositoryformatversion|init\\.defaultbranch|commit\\.gpgsign|rerere\\.enabled|merge\\.conflictstyle|" +
    "(?:advice|color)\\..*|gc\\.(?!recentobjectshook$).*)$",
);

/** A remote's URL that runs a helper, or hooks of another folder. */
const LOCAL_URL = /::|^(?:[./~]|file:)/;

/** A folder below the work tree. */
const FOLDER_BELOW =
  /^(?!\.\.?\/|.*\/\.\.?(?:\/|$)|\.git(?:\/|$))(?:\.\/)?[\w.-]+(?:\/[\w.-]+)*\/?$/;

/** One setting of a configuration, its key in lower case. */
interface Setting {
  readonly key: string;
  readonly value: string;
}

/** The settings of a configuration's text; undefined if a line of it is not plain. */
export function settingsIn(text: string): readonly Setting[] | undefined {
  const found: Setting[] = [];
  let section = "";
  for (const written of text.split("\n")) {
    const line = written.trim();
    if (line === "" || /^[#;]/.test(line)) continue;
    const header = /^\[([\w.-]+)(?:\s+"([^"\\]*)")?\]$/.exec(line);
    if (header) {
      section = header[2] === undefined ? header[1]! : `${header[1]}.${header[2]}`;
      continue;
    }
    const [, name, value = ""] = /^([A-Za-z][\w-]*)\s*(?:=\s*(.*[^\\]|))?$/.exec(line) ?? [];
    if (name === undefined) return undefined;
    found.push({ key: `${section}.${name}`.toLowerCase(), value });
  }
  return found;
}

/** Options of a look at a configuration. */
export interface PlainOptions {
  /** True for a submodule or worktree, whose git folder lies in the workspace's own. */
  readonly isModule: boolean;
}

/** The first setting that may name a program; undefined if none does. */
export function programSetting(
  settings: readonly Setting[],
  { isModule }: PlainOptions,
): string | undefined {
  return settings.find(({ key, value }) => {
    if (key === "core.worktree") return !isModule;
    // A quoted value says something else than its text.
    if (/(?:url|remote)$/.test(key) && /["\\;#]/.test(value)) return true;
    if (/url$/.test(key) && LOCAL_URL.test(value)) return true;
    if (/^branch\..*remote$/.test(key) && /[:/]/.test(value)) return true;
    return !PLAIN.test(key);
  })?.key;
}

/** The folder of hooks that settings name, below the work tree; undefined if they name none, `elsewhere` for any other. */
export function hooksFolder(settings: readonly Setting[]): string | "elsewhere" | undefined {
  const named = settings.findLast(({ key }) => key === "core.hookspath");
  if (named === undefined) return undefined;
  return FOLDER_BELOW.test(named.value) ? named.value : "elsewhere";
}

/** True for a setting by which a fetch removes refs, or writes others than those of a remote: `+refs/heads/*:refs/heads/*`. */
export function forcesFetch({ key, value }: Setting): boolean {
  if (/^(?:fetch|remote\..*)\.prune(?:tags)?$/is.test(key)) {
    return !/^(?:false|no|off|0)$/i.test(value);
  }
  return /^remote\..*\.fetch$/is.test(key) &&
    !/^(?:[^:]*|\^.*|\+?[^:]*:refs\/remotes\/.*)$/s.test(value);
}

/** True for a URL that holds a name or password before its host. */
export function holdsSecret({ key, value }: Setting): boolean {
  return /url$/.test(key) && /^(?!ssh:)[\w+.-]+:\/\/[^/]*@|:\/\/[^/]*:[^/]*@/.test(value);
}
