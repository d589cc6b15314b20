import { pathStyle } from "../../policy/sources/path_style.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Whether a path at which nothing stands is, or goes through, a link that leads nowhere: something is there, and it
 * cannot be read. Throws FileError when that cannot be told.
 */
export function isDangling(runtime: Runtime, path: string): boolean {
  const style = pathStyle(runtime.platform);
  const { root, segments } = style.split(path);
  for (let count = segments.length; count > 0; count--) {
    const part = style.build({ root, segments: segments.slice(0, count) });
    if (runtime.isThere(part)) return runtime.stat(part) === undefined;
  }
  return false;
}
