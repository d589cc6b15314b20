import { statSync } from "node:fs";
import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import type { Runtime } from "../runtime/runtime.ts";

/**
 * The absolute path of a program on the PATH, found as the system does, but never below one of some folders: a clone does not
 * say which program runs. Relative and empty parts of the PATH are passed over. Undefined if there is none. Starts nothing.
 */
export function findProgram(
  runtime: Runtime,
  { name, outside }: { readonly name: string; readonly outside: readonly string[] },
): string | undefined {
  const isWindows = runtime.platform === "windows";
  const style = pathStyle(runtime.platform);
  const folders = (runtime.env("PATH") ?? "").split(isWindows ? ";" : ":")
    .filter((folder) => style.isAbsolute(folder));
  return folders.map((folder) => style.join(folder, isWindows ? `${name}.exe` : name))
    .find((path) => isOutside(path, { runtime, folders: outside }) && isProgram(runtime, path));
}

/** True if neither a path nor what it leads to lies in one of the folders. */
function isOutside(
  path: string,
  { runtime, folders }: { readonly runtime: Runtime; readonly folders: readonly string[] },
): boolean {
  const real = runtime.realPath(path);
  if (real === null) return false;
  const inside = [...folders, ...folders.map((folder) => runtime.realPath(folder) ?? folder)];
  // With dots the real path alone says where it is.
  const written = path.split(/[\\/]/).includes("..") ? real : path;
  const above = new Set([written, real].flatMap((each) => ancestors(each, runtime.platform)));
  return !inside.some((folder) => above.has(folder));
}

function isProgram(runtime: Runtime, path: string): boolean {
  try {
    const stats = statSync(path);
    return stats.isFile() && (runtime.platform === "windows" || (stats.mode & 0o111) !== 0);
  } catch {
    // A file that cannot be looked at or started is passed over, as the system does.
    return false;
  }
}
