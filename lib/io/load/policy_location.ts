import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import { LOCAL_FILE, POLICY_FOLDER, PROJECT_FILE } from "../../policy/sources/source.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { isAbsent, kindAt } from "./load_looks.ts";

/** The folders of a policy, to which its patterns are relative; all paths absolute. */
export interface PolicyLocation {
  readonly platform: "linux" | "darwin" | "windows";
  /** The current directory. */
  readonly cwd: string;
  /** The workspace's folder, as it was named or found. */
  readonly workspace: string;
  /** Its real path. */
  readonly workspaceReal: string;
  /** The repository strictly below the workspace that the search for it began in; absent when it was named. */
  readonly repository?: string;
  /** The home directory; absent when the environment names none. */
  readonly home?: string;
  /** Its real path; there exactly when `home` is. */
  readonly homeReal?: string;
}

/** Options of `findPolicyLocation`. */
export interface LocationOptions {
  /** The workspace's folder (`--workspace`), relative to the current directory; must be one. */
  readonly workspace?: string;
  /** The folder in which the search for the workspace starts; the current directory by default. */
  readonly start?: string;
}

/** Finds the workspace, the home directory and their real paths. Throws FileError. */
export function findPolicyLocation(runtime: Runtime, options: LocationOptions): PolicyLocation {
  const cwd = runtime.cwd();
  const { workspace, repository } = options.workspace === undefined
    ? foundWorkspace(runtime, options.start ?? cwd)
    : { workspace: namedWorkspace(runtime, options.workspace) };
  const home = homeOf(runtime);
  return {
    platform: runtime.platform,
    cwd,
    workspace,
    workspaceReal: realOf(runtime, workspace),
    ...(repository !== undefined && { repository }),
    ...(home !== undefined && { home, homeReal: realOf(runtime, home) }),
  };
}

function foundWorkspace(
  runtime: Runtime,
  from: string,
): { readonly workspace: string; readonly repository?: string | undefined } {
  const start = plain(runtime, from);
  const workspace = findWorkspace(runtime, start);
  return { workspace, repository: repositoryBelow(runtime, { start, workspace }) };
}

function namedWorkspace(runtime: Runtime, named: string): string {
  const workspace = plain(runtime, named);
  if (runtime.stat(workspace) === "directory") return workspace;
  const message = `Cannot use the workspace "${named}": there is no such folder`;
  throw new FileError(message, { path: workspace, fault: "not-found" });
}

/** The path made absolute; with `..` in it the real one, because `link/..` is not the folder that holds the link. */
function plain(runtime: Runtime, path: string): string {
  const style = pathStyle(runtime.platform);
  const absolute = style.absolute(path, runtime.cwd());
  return style.split(absolute).segments.includes("..") ? realOf(runtime, absolute) : absolute;
}

/** An empty or relative value names no folder; one with `..` the real one. */
function homeOf(runtime: Runtime): string | undefined {
  const style = pathStyle(runtime.platform);
  const named = runtime.env(runtime.platform === "windows" ? "USERPROFILE" : "HOME") ?? "";
  return style.isAbsolute(named) ? plain(runtime, style.build(style.split(named))) : undefined;
}

function realOf(runtime: Runtime, path: string): string {
  const real = runtime.realPath(path);
  if (real !== null) return real;
  runtime.stat(path); // Mostly throws the reason.
  const message = `Cannot resolve the folder "${path}": its links cannot be followed`;
  throw new FileError(message, { path, fault: "other" });
}

/**
 * The workspace of a starting folder (absolute, without `..`): its nearest ancestor, itself included, with a policy
 * file in `.caliban/`; else the nearest with `.git`; else the folder. Starts no process. Throws FileError if an
 * ancestor cannot be read, since its rules could be lost.
 */
export function findWorkspace(runtime: Runtime, start: string): string {
  const folders = ancestors(start, runtime.platform);
  const { join } = pathStyle(runtime.platform);
  return folders.find((folder) => holdsPolicy(runtime, folder)) ??
    folders.find((folder) => runtime.stat(join(folder, ".git")) !== undefined) ??
    start;
}

/**
 * The repository nearest to a starting folder on the way up to its workspace, strictly below that; undefined if there
 * is none. Otherwise files above a checkout, which others may write, could allow anything. Throws FileError as `findWorkspace`.
 */
function repositoryBelow(
  runtime: Runtime,
  { start, workspace }: { readonly start: string; readonly workspace: string },
): string | undefined {
  const folders = ancestors(start, runtime.platform);
  const { join } = pathStyle(runtime.platform);
  return folders.slice(0, Math.max(0, folders.indexOf(workspace)))
    .find((folder) => runtime.isThere(join(folder, ".git")));
}

/** The folders with a policy file from a folder upwards, nearest first. Throws FileError as `findWorkspace`. */
export function policyFolders(runtime: Runtime, folder: string): readonly string[] {
  return ancestors(folder, runtime.platform).filter((each) => holdsPolicy(runtime, each));
}

function holdsPolicy(runtime: Runtime, folder: string): boolean {
  const { join } = pathStyle(runtime.platform);
  const policies = join(folder, POLICY_FOLDER);
  if (isAbsent(runtime, policies) || runtime.stat(policies) === undefined) return false;
  // A dead link is a policy file that cannot be read, not a missing one.
  return [PROJECT_FILE, LOCAL_FILE]
    .some((name) => kindAt(runtime, join(policies, name)) !== undefined);
}
