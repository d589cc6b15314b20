import type { ProgramLook } from "../../pattern/path/call_path.ts";
import { FileError } from "../runtime/runtime.ts";
import {
  isBelowAny,
  MissingNames,
  nearFolders,
  type PathFolder,
  pathFolders,
  type Surroundings,
} from "./path_folders.ts";

/** Looks that hold for one moment, or for as long as the runtime keeps answers. */
interface Looks {
  readonly near: () => readonly string[];
  readonly folders: () => Iterable<PathFolder>;
  readonly missing: MissingNames;
}

/**
 * A test of names: true if PATH leads a name to a file outside of the workspace and of temporary folders, and no folder of the
 * PATH before that one is relative or in them, where the line itself could put a program of that name. Looked up each time, for a
 * gate lives long, unless the runtime keeps answers. `mayLack`: true too for a name that is in none of the folders. `isDirect`:
 * false for a name that leads to a manager of versions, which may take the program from the folder.
 */
export function systemPrograms(
  surroundings: Surroundings,
): (name: string, options?: ProgramLook) => boolean {
  const { runtime } = surroundings;
  const looks = looksOf(surroundings);
  // A memory of its own for each strictness: the name is the key.
  const kept = [0, 1, 2, 3].map(() => runtime.answers?.());
  return (name, options = {}) => {
    const look = () => isSystem(name, { ...surroundings, ...options, looks });
    const keep = kept[(options.mayLack ? 1 : 0) + (options.isDirect ? 2 : 0)];
    return keep === undefined ? look() : keep(name, look);
  };
}

function looksOf(surroundings: Surroundings): Looks {
  const { runtime } = surroundings;
  const missing = new MissingNames(runtime);
  const near = () => nearFolders(surroundings);
  const kept = runtime.answers?.();
  if (kept === undefined) {
    return { missing, near, folders: () => pathFolders(surroundings, near()) };
  }
  const marked = () =>
    [...pathFolders(surroundings, near())].map((folder) => ({
      ...folder,
      mark: runtime.folderMark?.(folder.path === "" ? "/" : folder.path),
    }));
  return {
    missing,
    near: () => kept("near", near),
    folders: () => kept("folders", marked),
  };
}

/** Hidden folders of managers of versions, and the programs of Rust that stand for others. */
const MANAGED =
  /\/\.(?:volta|proto|jenv|sdkman|gvm|fvm|tfenv|tofuenv|tgenv|tenv|swiftly|vfox|pkgx)\/|\/\.(?:elan|juliaup)\/bin\/|\/\.cargo\/bin\/(?:cargo|rustc|rustdoc|rustfmt|rls|rust-[a-z]+|cargo-(?:clippy|fmt|miri)|clippy-driver)$/;

/** Managers of versions, by the names of their files. */
const MANAGERS: ReadonlySet<string> = new Set(
  ("asdf mise rtx volta volta-shim proto proto-shim rustup corepack pyenv rbenv nodenv goenv plenv phpenv direnv aqua aqua-proxy " +
    "hermit devbox pixi pixi-trampoline tfenv tofuenv tgenv tenv swiftly vfox elan juliaup julialauncher bazelisk pkgx fvm")
    .split(" "),
);

/** True for a file that stands for many programs: the version that the folder names runs. */
function isManaged(path: string): boolean {
  const name = path.slice(path.lastIndexOf("/") + 1);
  return MANAGERS.has(name.endsWith(".js") ? name.slice(0, -3) : name) ||
    path.includes("/shims/") || path.includes("/.") && MANAGED.test(path);
}

function isSystem(
  name: string,
  { location, runtime, looks, mayLack = false, isDirect = false }:
    & Surroundings
    & ProgramLook
    & { readonly looks: Looks },
): boolean {
  if (location.platform === "windows" || name.includes("/")) return false;
  try {
    const near = looks.near();
    for (const folder of looks.folders()) {
      if (folder.isNear) return false;
      if (looks.missing.has(name, folder)) continue;
      const path = `${folder.path}/${name}`;
      const real = runtime.realPath(path);
      if (real === null || isBelowAny(path, near) || isBelowAny(real, near)) return false;
      return !isDirect || ![path, real].some(isManaged);
    }
    return mayLack;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}
