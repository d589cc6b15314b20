import type { PathContext } from "./call_path.ts";

/** The most folders that are looked through for files of a name. */
const MAX_FOLDERS = 2_000;
/** The most entries of these folders. */
const MAX_ENTRIES = 100_000;

/**
 * The files of the workspace whose path ends in a relative path, in no order. Empty if that path is there, seen from `cwd`:
 * a tool that searches opens it then. Undefined if they are unknown.
 */
export function endingFiles(
  text: string,
  { cwd, context }: { readonly cwd: string; readonly context: PathContext },
): readonly string[] | undefined {
  const { listFolder, workspace } = context;
  const end = text.replaceAll("\\", "/");
  // A tool may part names at a backslash on any platform, and compares the end of a path with slashes.
  const names = new Set([
    text.slice(text.lastIndexOf("/") + 1),
    end.slice(end.lastIndexOf("/") + 1),
  ]);
  if (/^(?:\/|[A-Za-z]:[\\/])/.test(text) || names.has("") && names.size === 1) return [];
  if (!listFolder) return undefined;
  const slash = text.lastIndexOf("/") + 1;
  const parent = `${cwd}/${text.slice(0, slash)}`;
  if (listFolder(parent)?.some((entry) => entry.name === text.slice(slash))) return [];
  const found: string[] = [];
  const folders = [cwd, ...workspace];
  const known = new Set(folders);
  let entries = 0;
  for (const folder of folders) {
    for (const entry of listFolder(folder) ?? []) {
      if (++entries > MAX_ENTRIES) return undefined;
      const path = `${folder.replace(/\/$/, "")}/${entry.name}`;
      if (entry.kind !== "folder") {
        if (names.has(entry.name) && path.replaceAll("\\", "/").endsWith(end)) found.push(path);
      } else if (!known.has(path)) {
        if (folders.length === MAX_FOLDERS) return undefined;
        known.add(path);
        folders.push(path);
      }
    }
  }
  return found;
}
