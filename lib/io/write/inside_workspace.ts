import { dirname } from "node:path";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { lstatOf } from "./lstat_of.ts";
import { links } from "../runtime/node_runtime.ts";
import { realPathBy } from "../runtime/real_path.ts";
import { FileError } from "../runtime/runtime.ts";

/**
 * Refuses to write a file (absolute path) of a workspace where a link on its way, or the file as one, leads out of that: a
 * cloned project comes with its links. One that stays in it is fine. Throws FileError that names the link and its target.
 */
export function requireInside(path: string, workspace: string): void {
  const style = pathStyle(links.platform);
  const top = realPathBy(links, workspace) ?? workspace;
  const { root, segments } = style.split(path);
  const depth = style.split(workspace).segments.length;
  for (let count = depth + 1; count <= segments.length; count++) {
    const part = style.build({ root, segments: segments.slice(0, count) });
    if (lstatOf(part)?.isSymbolicLink() !== true) continue;
    const target = realPathBy(links, part);
    // What leads in a circle leads nowhere, which is found out by following it.
    if (target !== null && !isIn(target, top)) throw leadsOut(path, { link: part, target });
  }
  const target = realPathBy(links, path);
  if (target !== null && !isIn(target, top)) throw leadsOut(path, { link: path, target });
}

/** Refuses to go on where the folder of a file (its real path) became a link, or has one above it by now. */
export function requireStill(path: string, target: string): void {
  const folder = dirname(target);
  if (realPathBy(links, folder) === folder) return;
  const message = `Cannot write "${path}": its folder "${folder}" was replaced meanwhile`;
  throw new FileError(message, { path, fault: "other" });
}

function leadsOut(
  path: string,
  { link, target }: { readonly link: string; readonly target: string },
): FileError {
  const message =
    `Cannot write "${path}": the link "${link}" leads out of the workspace, to "${target}"`;
  return new FileError(message, { path, fault: "other" });
}

function isIn(path: string, folder: string): boolean {
  const style = pathStyle(links.platform);
  const [inner, outer] = [style.split(path), style.split(folder)];
  return inner.root.toLowerCase() === outer.root.toLowerCase() &&
    outer.segments.every((segment, index) => segment === inner.segments[index]);
}
