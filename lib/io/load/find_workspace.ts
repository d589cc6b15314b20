import { pathStyle } from "../../policy/sources/path_style.ts";
import {
  ancestors,
  LOCAL_FILE,
  POLICY_FOLDER,
  PROJECT_FILE,
} from "../../policy/sources/workspace.ts";
import { isDangling } from "../runtime/dangling.ts";
import type { Runtime } from "../runtime/runtime.ts";

/**
 * The workspace of a starting folder (absolute, without `..`): its nearest ancestor, itself included, with a policy
 * file in `.caliban/`; else the nearest with `.git`; else the folder. Starts no process. Throws FileError when it cannot
 * be told what stands in an ancestor, since its rules could be lost.
 */
export function findWorkspace(runtime: Runtime, start: string): string {
  const folders = ancestors(start, runtime.platform);
  const { join } = pathStyle(runtime.platform);
  return folders.find((folder) => holdsPolicy(runtime, folder)) ??
    folders.find((folder) => runtime.stat(join(folder, ".git")) !== undefined) ??
    start;
}

/**
 * The repository nearest to a starting folder on the way up to its workspace, strictly below that; undefined when none
 * is there. Whoever may write above a checkout could else allow what it pleases. Throws FileError as `findWorkspace`.
 */
export function repositoryBelow(
  runtime: Runtime,
  { start, workspace }: { readonly start: string; readonly workspace: string },
): string | undefined {
  const folders = ancestors(start, runtime.platform);
  const { join } = pathStyle(runtime.platform);
  return folders.slice(0, Math.max(0, folders.indexOf(workspace)))
    .find((folder) => runtime.isThere(join(folder, ".git")));
}

/** The folders with a policy file above a folder, nearest first. Throws FileError as `findWorkspace`. */
export function policyFoldersAbove(runtime: Runtime, folder: string): readonly string[] {
  return ancestors(folder, runtime.platform).slice(1)
    .filter((above) => holdsPolicy(runtime, above));
}

function holdsPolicy(runtime: Runtime, folder: string): boolean {
  const { join } = pathStyle(runtime.platform);
  const policies = join(folder, POLICY_FOLDER);
  if (runtime.stat(policies) === undefined) return false;
  return [PROJECT_FILE, LOCAL_FILE].some((name) => {
    const path = join(policies, name);
    // A link that leads nowhere is a policy file that cannot be read, not one that is not there.
    return runtime.stat(path) !== undefined || isDangling(runtime, path);
  });
}
