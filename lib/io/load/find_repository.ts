import { pathStyle } from "../../policy/sources/path_style.ts";
import { ancestors } from "../../policy/sources/workspace.ts";
import type { Runtime } from "../runtime/runtime.ts";

/**
 * The folder of the repository that a folder (absolute, without `..`) lies in; undefined when it lies in none. Starts no
 * process. Throws FileError when it cannot be told what stands in an ancestor.
 */
export function findRepository(runtime: Runtime, folder: string): string | undefined {
  const { join } = pathStyle(runtime.platform);
  return ancestors(folder, runtime.platform).find((each) => runtime.isThere(join(each, ".git")));
}
