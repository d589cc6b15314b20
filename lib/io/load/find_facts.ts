import { pathStyle } from "../../policy/sources/path_style.ts";
import { findWorkspace, repositoryBelow } from "./find_workspace.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** Where the policy is and what its patterns are relative to; all paths absolute. */
export interface PolicyFacts {
  /** The platform. */
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

/** What finding them must be told. */
export interface FactsOptions {
  /** The workspace's folder (`--workspace`), relative to the current directory; must be one. */
  readonly workspace?: string;
  /** Where the search for the workspace starts, relative to the current directory; that directory when left out. */
  readonly start?: string;
}

/** Finds the workspace, the home directory and their real paths. Throws FileError. */
export function findFacts(runtime: Runtime, options: FactsOptions): PolicyFacts {
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

/** An empty or relative value names no folder. */
function homeOf(runtime: Runtime): string | undefined {
  const style = pathStyle(runtime.platform);
  const named = runtime.env(runtime.platform === "windows" ? "USERPROFILE" : "HOME") ?? "";
  return style.isAbsolute(named) ? style.build(style.split(named)) : undefined;
}

function realOf(runtime: Runtime, path: string): string {
  const real = runtime.realPath(path);
  if (real !== null) return real;
  runtime.stat(path); // Mostly throws the reason.
  const message = `Cannot find out what folder "${path}" really is: following its links failed`;
  throw new FileError(message, { path, fault: "other" });
}
