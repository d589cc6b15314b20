import { type FolderEntry, isMissing, type ListFolder } from "./shell_glob.ts";

/** Options of a look at the files below a folder. */
export interface BelowOptions {
  /** True if names that begin with a dot are passed over. */
  readonly skipsHidden: boolean;
  /** True if links are followed: with one, the files are not known. */
  readonly followsLinks?: boolean;
  /** Set if only files are of interest whose names end so; hidden ones too. */
  readonly endings?: readonly string[];
}

/** The looks at the file system. */
interface Looks {
  readonly listFolder: ListFolder;
  /** The text of a file; null if none is there, undefined if it is unknown. Without it every ignore file may show hidden names. */
  readonly textOf?: (path: string) => string | null | undefined;
  /** The home folders of the user, whose settings of git name further ignore files. */
  readonly homes?: readonly string[];
}

/** The most names that are looked at. */
const MAX_NAMES = 20_000;

/** Files with which a search may look at hidden names all the same: by a line as `!.env`. */
const IGNORES = /^\.(?:rg|git)?ignore$/;

/** A line that shows names again. */
const SHOWS = /(?:^|[\r\n\u0085\u2028\u2029])\s*!/u;

/** More ignore files count as ones that show hidden names. */
const MOST_IGNORES = 200;

/**
 * The files below some folders, links among them not followed and left out; a path that is no folder is itself. Undefined if
 * they are more than 20,000, or one cannot be listed.
 */
export function filesBelow(
  folders: readonly string[],
  { skipsHidden, followsLinks, endings, listFolder, textOf, homes = [] }: BelowOptions & Looks,
): readonly string[] | undefined {
  const isNamed = (name: string) => endings?.some((end) => name.endsWith(end)) ?? true;
  let ignores = 0;
  const showsHidden = (folder: string, entries: readonly FolderEntry[] | null) =>
    skipsHidden && entries?.some(({ name }) => {
        const file = name === ".git" ? excludes(folder, textOf) : IGNORES.test(name) && name;
        if (file === false) return false;
        const text = ++ignores > MOST_IGNORES ? undefined : textOf?.(joined(folder, file));
        if (name === ".git" && text === null) return false;
        return typeof text !== "string" || SHOWS.test(text);
      }) === true;
  const withHidden = () =>
    filesBelow(folders, {
      skipsHidden: false,
      ...(endings ? { endings } : {}),
      listFolder,
    });
  const parents = skipsHidden ? folders.flatMap(parentsOf) : [];
  if (parents.some((each) => showsHidden(each, listFolder(each)))) return withHidden();
  const looks = { listFolder, ...(textOf ? { textOf } : {}) };
  if (skipsHidden && homes.some((home) => showsEverywhere(home, looks))) return withHidden();
  const found: string[] = [];
  const open = [...folders];
  let looked = 0;
  for (const folder of folders) {
    if (listFolder(folder) !== null) continue;
    const kind = kindOf(folder, listFolder);
    if (kind === "unknown" && isMissing(folder, listFolder)) continue;
    if (kind === "unknown" || kind === "folder") return undefined;
    if (kind === "other") found.push(folder);
  }
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    const entries = listFolder(folder);
    if (entries === null) {
      if (folders.includes(folder)) continue;
      return undefined;
    }
    looked += entries.length;
    if (looked > MAX_NAMES) return undefined;
    if (showsHidden(folder, entries)) return withHidden();
    for (const { name, kind } of entries) {
      if (skipsHidden && name.startsWith(".") && !(endings && isNamed(name))) continue;
      const path = joined(folder, name);
      if (kind === "folder") open.push(path);
      else if (kind === "other" && isNamed(name)) found.push(path);
      else if (kind === "link" && followsLinks) return undefined;
    }
  }
  return found;
}

/** The ignore file of a repository by its work tree, whose `.git` may be a file that names another folder. */
function excludes(folder: string, textOf: Looks["textOf"]): string {
  const text = textOf?.(joined(folder, ".git"));
  const named = typeof text === "string" ? /^gitdir: (.+?)\s*$/.exec(text)?.[1] : undefined;
  return `${named?.replace(/\/worktrees\/[^/]+$/, "") ?? ".git"}/info/exclude`;
}

/** True if an ignore file that settings of git in a home folder name may show hidden names in every repository. */
function showsEverywhere(home: string, { listFolder, textOf }: Looks): boolean {
  const git = joined(home, ".config/git");
  const has = (folder: string, name: string) =>
    listFolder(folder)?.some((entry) => entry.name === name) === true;
  const mayShow = (path: string) => {
    const text = textOf?.(path);
    return text !== null && (text === undefined || SHOWS.test(text));
  };
  if (has(git, "ignore") && mayShow(joined(git, "ignore"))) return true;
  const configs = [has(home, ".gitconfig") && joined(home, ".gitconfig")]
    .concat(has(git, "config") && joined(git, "config")).filter((path) => path !== false);
  return configs.some((path) => {
    const text = textOf?.(path);
    if (typeof text !== "string") return text === undefined;
    return [...text.matchAll(EXCLUDES_FILE)].some(([, file = ""]) =>
      mayShow(joined(home, file.replace(/^~\//, "")))
    );
  });
}

/** The setting of git that names an ignore file for every repository. */
const EXCLUDES_FILE = /^\s*(?:\[[^\]\n]*\])?\s*excludesfile\s*=\s*"?\s*([^"\n]*?)\s*"?\s*$/gim;

function joined(folder: string, name: string): string {
  if (name.startsWith("/")) return name;
  return folder.endsWith("/") ? folder + name : `${folder}/${name}`;
}

/** The folders that a path lies in, whose ignore files count for a search too. */
function parentsOf(path: string): readonly string[] {
  const parts = path.split("/");
  return parts.slice(1).map((_, index) => parts.slice(0, index + 1).join("/") || "/");
}

/** The kind of a path that is no folder which can be listed; undefined if nothing is there. */
function kindOf(
  path: string,
  listFolder: ListFolder,
): FolderEntry["kind"] | "unknown" | undefined {
  let child = path;
  for (let at = child.lastIndexOf("/"); at >= 0 && child !== "/"; at = child.lastIndexOf("/")) {
    const parent = child.slice(0, at) || "/";
    const name = child.slice(at + 1);
    const entries = listFolder(parent);
    if (entries !== null) {
      const kind = entries.find((each) => each.name === name)?.kind;
      // Nothing is below a folder that is not there.
      return kind === undefined || child === path ? kind : "unknown";
    }
    child = parent;
  }
  return "unknown";
}
