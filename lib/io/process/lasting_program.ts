import { accessSync, constants, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, delimiter, isAbsolute, join, sep } from "node:path";
import type { Runtime } from "../runtime/runtime.ts";

/** The program that starts caliban in an agent's settings. */
export type LastingProgram =
  /** This path is written. */
  | { readonly kind: "path"; readonly path: string }
  /** A copy of the program at this path is written: a compiled caliban that lies where it may be gone tomorrow. */
  | { readonly kind: "copy"; readonly path: string }
  /** No path would last; `why` is a clause about the program. */
  | { readonly kind: "none"; readonly path: string; readonly why: string };

/** The inputs of a choice. */
export interface LastingOptions extends LastingPlace {
  /** The running program, an absolute path. */
  readonly running: string;
  /** True if that is caliban itself and no runtime. */
  readonly isCompiled: boolean;
}

/** The surroundings of a program. */
export interface LastingPlace {
  /** The home folder, where it is known. */
  readonly home: string | undefined;
  /** Folders that are no place for it: the workspace, which comes with a clone. */
  readonly outside: readonly string[];
  /** True if the agents of all people on this machine start it. */
  readonly isShared?: boolean;
}

type Files = Pick<Runtime, "env" | "realPath">;

/**
 * Chooses the program for agents' settings; starts nothing. In this order:
 * 1. a link on the PATH that leads to the running program, since a link survives an update that moves the program;
 * 2. the running program by its own path;
 * 3. a compiled caliban is copied, because a copy lasts;
 * 4. for a runtime another program of its name on the PATH: caliban runs with each version that it installs with.
 * Each must last: it lies in no package cache, in no temporary folder and not in the workspace, neither as written nor by its real
 * path. For settings of the whole machine everybody must be able to run it.
 */
export function lastingProgram(files: Files, options: LastingOptions): LastingProgram {
  const { running } = options;
  const here = files.realPath(running);
  const named = onPath(files, basename(running)).filter((path) =>
    isProgram(path) && whyShortLived(path, { files, options }) === undefined
  );
  const link = named.find((path) => files.realPath(path) === here);
  if (link !== undefined) return { kind: "path", path: link };
  const why = whyShortLived(running, { files, options });
  if (why === undefined) return { kind: "path", path: running };
  if (options.isCompiled) return { kind: "copy", path: running };
  const [other] = named;
  return other === undefined ? { kind: "none", path: running, why } : { kind: "path", path: other };
}

/** The absolute paths of a program of that name in the folders of the PATH. */
function onPath({ env }: Files, name: string): readonly string[] {
  return (env("PATH") ?? "").split(delimiter).filter((folder) => isAbsolute(folder))
    .map((folder) => join(folder, name));
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    // A file that cannot be looked at or started is passed over, as a shell does.
    return false;
  }
}

/** The reason why a program or a folder may be gone tomorrow, as a clause; undefined if it lasts. */
export function whyShortLived(
  path: string,
  { files, options }: { readonly files: Files; readonly options: LastingPlace },
): string | undefined {
  const real = files.realPath(path);
  if (real === null) return "its path cannot be followed";
  for (const each of new Set([path, real])) {
    const why = whyIn(each, { files, options });
    if (why !== undefined) return why;
  }
  return options.isShared === true && !isForAll(real) ? "other people may not run it" : undefined;
}

function whyIn(
  path: string,
  { files, options }: { readonly files: Files; readonly options: LastingPlace },
): string | undefined {
  const { home, outside } = options;
  if (outside.some((folder) => isBelow(path, folder))) return "it is in the workspace";
  const cache = cacheOf(path, files);
  if (cache !== undefined) return `it lies in the package cache ${cache}`;
  const temporary = temporaryFolders(files).find((folder) => isBelow(path, folder));
  // The settings in a temporary home last no longer.
  const isHomeTemporary = home !== undefined && temporary !== undefined && isBelow(home, temporary);
  return temporary === undefined || isHomeTemporary
    ? undefined
    : `it lies in the temporary folder ${temporary}`;
}

/** Names of folders that package managers fill and empty by themselves; the last word may be a pattern. */
const CACHE = /^(?:_npx|_cacache|\.cache|Caches|\.npm|dlx|dlx-.*|bunx-.*|xfs-.*|\.pnpm-store)$/;

/** The variables that name such folders. */
const CACHE_VARIABLES = [
  "npm_config_cache",
  "DENO_DIR",
  "BUN_INSTALL_CACHE_DIR",
  "XDG_CACHE_HOME",
  "YARN_CACHE_FOLDER",
];

function cacheOf(path: string, { env }: Files): string | undefined {
  const named = CACHE_VARIABLES.map((name) => env(name) ?? "")
    .find((folder) => isAbsolute(folder) && isBelow(path, folder));
  if (named !== undefined) return named;
  const segments = path.split(sep);
  const at = segments.findIndex((name, index) =>
    CACHE.test(name) ||
    name === "cache" && segments[index - 1] === "install" && segments[index - 2] === ".bun"
  );
  return at === -1 ? undefined : segments.slice(0, at + 1).join(sep);
}

function temporaryFolders({ env }: Files): readonly string[] {
  const known = ["/tmp", "/var/tmp", "/private/tmp", "/private/var/tmp", "/var/folders"];
  const more = ["/private/var/folders", "/dev/shm", env("XDG_RUNTIME_DIR") ?? "", tmpdir()];
  return [...known, ...more].filter((folder) => isAbsolute(folder));
}

function isBelow(path: string, folder: string): boolean {
  const start = folder.endsWith(sep) ? folder : folder + sep;
  return path === folder || path.startsWith(start);
}

/** True if everybody may run a program, which needs every folder above it to be open. */
function isForAll(path: string): boolean {
  const parts = path.split(sep);
  try {
    return parts.slice(1).every((_, index) =>
      (statSync(parts.slice(0, index + 2).join(sep)).mode & 0o001) !== 0
    );
  } catch {
    // A program that is not there cannot be started.
    return false;
  }
}
