import type { FolderEntry } from "../../lib/pattern/path/shell_glob.ts";

/** A file system of some paths, absolute or below /work; `a->b` is a link to the absolute path `b`. */
export function filesOf(paths: readonly string[]) {
  const links = new Map<string, string>();
  const folders = new Map<string, Map<string, FolderEntry>>([["", new Map()], [
    "/work",
    new Map(),
  ]]);
  const folder = (path: string): Map<string, FolderEntry> => {
    const known = folders.get(path);
    if (known) return known;
    const made = new Map<string, FolderEntry>();
    folders.set(path, made);
    const at = path.lastIndexOf("/");
    const name = path.slice(at + 1);
    folder(path.slice(0, at)).set(name, { name, kind: "folder" });
    return made;
  };
  for (const text of paths) {
    const [name = "", target] = text.split("->");
    const path = name.startsWith("/") ? name : `/work/${name}`;
    const at = path.lastIndexOf("/");
    const own = path.slice(at + 1);
    folder(path.slice(0, at)).set(own, { name: own, kind: target ? "link" : "other" });
    if (target) links.set(path, target);
  }
  const realPath = (path: string): string => {
    for (const [link, target] of links) {
      if (path === link || path.startsWith(`${link}/`)) {
        return realPath(target + path.slice(link.length));
      }
    }
    return path;
  };
  const listFolder = (path: string) => {
    const found = folders.get(realPath(path));
    return found ? [...found.values()] : null;
  };
  return { realPath, listFolder };
}
