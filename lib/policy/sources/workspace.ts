import { pathStyle, type Platform } from "./path_style.ts";

/** The folder in a workspace that holds its policy files. */
export const POLICY_FOLDER = ".caliban";

/** The name of a workspace's own policy file. */
export const PROJECT_FILE = "permissions.toml";

/** The name of the policy file that one person keeps in a workspace. */
export const LOCAL_FILE = "permissions.local.toml";

/**
 * The folder itself and every folder above it, nearest first, the root last. Purely by text: `dir` is absolute and has
 * no `..`; throws RangeError for any other, since without the file system it cannot be told what is above.
 */
export function ancestors(dir: string, platform: Platform): readonly string[] {
  const style = pathStyle(platform);
  const { root, segments } = style.split(dir);
  if (root === "" || segments.includes("..")) {
    throw new RangeError(`Cannot list the folders above "${dir}": it is not absolute or has ".."`);
  }
  return [...segments.keys(), segments.length].reverse()
    .map((count) => style.build({ root, segments: segments.slice(0, count) }));
}
