import type { ProgramLook } from "../../pattern/path/call_path.ts";
import type { PolicyLocation } from "./policy_location.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** The machine, and the folders of the policy. */
interface Surroundings {
  readonly runtime: Runtime;
  readonly location: Pick<PolicyLocation, "workspace" | "workspaceReal" | "platform">;
}

/** Folders that every user may write. */
const TEMPORARY = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/dev/shm"];

/**
 * A test of names: true if PATH leads a name to a file outside of the workspace and of temporary folders, and no folder of the
 * PATH before that one is relative or in them, where the line itself could put a program of that name. Looked up each time, for a
 * gate lives long, unless the runtime keeps answers. `mayLack`: true too for a name that is in none of the folders. `isDirect`:
 * false for a name that leads to a manager of versions, which may take the program from the folder.
 */
export function systemPrograms(
  surroundings: Surroundings,
): (name: string, options?: ProgramLook) => boolean {
  const kept = surroundings.runtime.answers?.();
  return (name, options = {}) => {
    const look = () => isSystem(name, { ...surroundings, ...options });
    return kept === undefined
      ? look()
      : kept(`${options.mayLack} ${options.isDirect} ${name}`, look);
  };
}

/** A file that stands for many programs: the version that the folder names runs. */
const MANAGED =
  /\/shims\/|\/\.(?:volta|proto|jenv|sdkman|gvm|fvm|tfenv|tofuenv|tgenv|tenv|swiftly|vfox|pkgx)\/|\/\.(?:elan|juliaup)\/bin\/|\/\.cargo\/bin\/(?:cargo|rustc|rustdoc|rustfmt|rls|rust-[a-z]+|cargo-(?:clippy|fmt|miri)|clippy-driver)$|\/(?:asdf|mise|rtx|volta(?:-shim)?|proto(?:-shim)?|rustup|corepack|pyenv|rbenv|nodenv|goenv|plenv|phpenv|direnv|aqua(?:-proxy)?|hermit|devbox|pixi(?:-trampoline)?|tfenv|tofuenv|tgenv|tenv|swiftly|vfox|elan|juliaup|julialauncher|bazelisk|pkgx|fvm)(?:\.js)?$/;

function isSystem(
  name: string,
  { runtime, location, mayLack = false, isDirect = false }: Surroundings & ProgramLook,
): boolean {
  if (location.platform === "windows" || name.includes("/")) return false;
  try {
    const near = nearFolders(runtime, location);
    for (const folder of (runtime.env("PATH") ?? "").split(":")) {
      const isNear = (path: string) => near.some((at) => isBelow(path, at));
      if (!folder.startsWith("/") || isNear(folder) || isNear(runtime.realPath(folder) ?? "/tmp")) {
        return false;
      }
      const path = `${folder.replace(/\/+$/, "")}/${name}`;
      if (runtime.stat(path) === undefined) continue;
      const real = runtime.realPath(path);
      if (real === null || isNear(path) || isNear(real)) return false;
      return !isDirect || ![path, real].some((each) => MANAGED.test(each));
    }
    return mayLack;
  } catch (error) {
    if (error instanceof FileError) return false;
    throw error;
  }
}

function nearFolders(runtime: Runtime, location: Surroundings["location"]): readonly string[] {
  const own = [location.workspace, location.workspaceReal, runtime.env("TMPDIR") ?? ""];
  return [...own.filter((folder) => folder.startsWith("/")), ...TEMPORARY];
}

function isBelow(path: string, folder: string): boolean {
  return path === folder || path.startsWith(`${folder.replace(/\/+$/, "")}/`);
}
