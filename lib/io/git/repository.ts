import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** The state of the repository that a folder is in. */
export interface GitState {
  /** The URL of its remote; absent if it has none or it cannot be read. */
  readonly gitRemote?: string;
  /** True if its main branch is checked out; absent if that is unknown. */
  readonly isMainBranch?: boolean;
}

/** Reads `.git` of the nearest repository; starts no process and never throws: unreadable parts are absent. */
export function gitState(runtime: Runtime, folder: string): GitState {
  try {
    return stateOf(runtime, folder);
  } catch (error) {
    // The state only helps the model; no decision depends on it.
    if (error instanceof FileError || error instanceof RangeError) return {};
    throw error;
  }
}

function stateOf(runtime: Runtime, folder: string): GitState {
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

/** The folder in which a worktree shares configuration and branches with its repository. */
function commonFolder(runtime: Runtime, own: string): string {
  const { join, absolute } = pathStyle(runtime.platform);
  const named = textAt(runtime, join(own, "commondir"))?.trim();
  return named === undefined || named === "" ? own : absolute(named, own);
}

function textAt(runtime: Runtime, path: string): string | undefined {
  return runtime.stat(path) === "file" ? runtime.readText(path) : undefined;
}

/**
 * The folder of the repository that a folder (absolute, without `..`) lies in; undefined when it lies in none. Starts no
 * process. Throws FileError if an ancestor cannot be read.
 */
export function findRepository(runtime: Runtime, folder: string): string | undefined {
  const { join } = pathStyle(runtime.platform);
  return ancestors(folder, runtime.platform).find((each) => runtime.isThere(join(each, ".git")));
}

/** Branches that are the main one wherever nothing else is said. */
const MAIN_BRANCHES: readonly string[] = ["main", "master", "trunk"];

/** The URL of the remote `origin` in the text of a git configuration, else of its first remote; undefined for none. */
export function remoteIn(config: string): string | undefined {
  const urls = new Map<string, string>();
  let remote: string | undefined;
  for (const line of config.split(/\r?\n/)) {
    const section = /^\s*\[\s*([^\]]*?)\s*\]/.exec(line)?.[1];
    if (section !== undefined) remote = /^remote\s+"(.*)"$/i.exec(section)?.[1];
    const url = /^\s*(?:\[[^\]]*\]\s*)?url\s*=\s*(.*?)\s*$/i.exec(line)?.[1];
    if (remote === undefined || url === undefined || urls.has(remote)) continue;
    urls.set(remote, url.replace(/^"(.*)"$/, "$1"));
  }
  return urls.get("origin") ?? urls.values().next().value;
}

/** The branch that the text of a HEAD names; undefined where it names a commit. */
function branchIn(head: string): string | undefined {
  return /^ref:\s*refs\/(?:heads|remotes\/[^/\s]+)\/(\S+)\s*$/.exec(head)?.[1];
}

/** True if a HEAD is on the main branch, by name or by the remote's HEAD; undefined if it is on no branch. */
export function isMain(head: string, remoteHead: string | undefined): boolean | undefined {
  const branch = branchIn(head);
  if (branch === undefined) return undefined;
  const main = remoteHead === undefined ? undefined : branchIn(remoteHead);
  return branch === main || MAIN_BRANCHES.includes(branch);
}
