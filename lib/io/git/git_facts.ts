import { isMain, remoteIn } from "../../gate/auto/git_text.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { ancestors } from "../../policy/sources/workspace.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** What is known of the repository that a folder lies in. */
export interface GitFacts {
  /** The URL of its remote; absent when it has none, or when that cannot be read. */
  readonly gitRemote?: string;
  /** Whether its main branch is checked out; absent when that cannot be told. */
  readonly isMainBranch?: boolean;
}

/** Reads `.git` of the nearest repository; starts no process and never throws: what cannot be read is absent. */
export function gitFacts(runtime: Runtime, folder: string): GitFacts {
  try {
    return factsOf(runtime, folder);
  } catch (error) {
    // What the model is told is a help to it and nothing that a decision stands on.
    if (error instanceof FileError || error instanceof RangeError) return {};
    throw error;
  }
}

function factsOf(runtime: Runtime, folder: string): GitFacts {
  const { join } = pathStyle(runtime.platform);
  const holder = ancestors(folder, runtime.platform)
    .find((each) => runtime.stat(join(each, ".git")) !== undefined);
  if (holder === undefined) return {};
  const own = gitFolder(runtime, holder);
  const shared = commonFolder(runtime, own);
  const config = textAt(runtime, join(shared, "config"));
  const head = textAt(runtime, join(own, "HEAD"));
  const remoteHead = textAt(runtime, join(shared, "refs", "remotes", "origin", "HEAD"));
  const gitRemote = config === undefined ? undefined : remoteIn(config);
  const isMainBranch = head === undefined ? undefined : isMain(head, remoteHead);
  return {
    ...(gitRemote === undefined ? {} : { gitRemote }),
    ...(isMainBranch === undefined ? {} : { isMainBranch }),
  };
}

/** `.git` itself, or the folder that it names where it is a file: a worktree or submodule. */
function gitFolder(runtime: Runtime, holder: string): string {
  const { join, absolute } = pathStyle(runtime.platform);
  const path = join(holder, ".git");
  if (runtime.stat(path) !== "file") return path;
  const named = /^gitdir:\s*(.+?)\s*$/.exec(runtime.readText(path))?.[1];
  return named === undefined ? path : absolute(named, holder);
}

/** Where a worktree shares configuration and branches with its repository. */
function commonFolder(runtime: Runtime, own: string): string {
  const { join, absolute } = pathStyle(runtime.platform);
  const named = textAt(runtime, join(own, "commondir"))?.trim();
  return named === undefined || named === "" ? own : absolute(named, own);
}

function textAt(runtime: Runtime, path: string): string | undefined {
  return runtime.stat(path) === "file" ? runtime.readText(path) : undefined;
}
