import { pathStyle } from "../sources/path_style.ts";
import type { Runtime } from "./runtime.ts";

/**
 * Whether a path at which nothing stands is, or goes through, a link that leads nowhere: something is there, and it
 * cannot be read. Throws FileError when that cannot be told.
 */
export function isDangling(runtime: Runtime, path: string): boolean {
  const style = pathStyle(runtime.platform);
  const { root, segments } = style.split(path);
  let count = segments.length;
  const prefix = () => style.build({ root, segments: segments.slice(0, count) });
  while (count > 0 && runtime.stat(prefix()) === undefined) count--;
  const start = runtime.realPath(prefix());
  const real = runtime.realPath(path);
  return start === null || real !== style.join(start, ...segments.slice(count));
}
