import { ancestors } from "../../policy/sources/path_style.ts";
import type { PolicyLocation } from "../load/policy_location.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { areVersionsFixed } from "./go_versions.ts";
import { goToolchain, isAtMost, type Version, versionIn } from "./go_toolchain.ts";

/** The folder that a command runs in, and the workspace with the home folder. */
export interface PackageOptions {
  readonly folder: string;
  readonly location: Pick<
    PolicyLocation,
    "workspace" | "workspaceReal" | "home" | "homeReal" | "platform"
  >;
}

/**
 * True if go has everything on this machine that it needs to build the module of a folder, so that it downloads nothing: its
 * toolchain is as new as the module and its dependencies ask for, and each module that go.sum names is in the cache, or they are
 * in `vendor`. Without `-mod=mod` go downloads no module that go.sum does not name. Starts no process and never throws: what
 * cannot be read is not there.
 */
export function hasGoModules(runtime: Runtime, options: PackageOptions): boolean {
  return isModule(runtime, { ...options, test: (module) => module.isWhole() });
}

/** True if go takes the toolchain of this machine for the module of a folder, and downloads no other one. */
export function hasGoToolchain(runtime: Runtime, options: PackageOptions): boolean {
  return isModule(runtime, { ...options, test: (module) => module.isReadable() });
}

function isModule(
  runtime: Runtime,
  { folder, location, test }: PackageOptions & { readonly test: (module: GoModule) => boolean },
): boolean {
  if (location.platform === "windows") return false;
  try {
    const toolchain = goToolchain(runtime, location);
    if (toolchain === undefined) return false;
    const root = moduleRoot(runtime, { folder, location });
    return root !== undefined && test(new GoModule(runtime, { root, toolchain, location }));
  } catch (error) {
    if (error instanceof FileError || error instanceof RangeError) return false;
    throw error;
  }
}

/** The folder of the go.mod that go uses in a folder, if that is in the workspace; undefined in a workspace of go's own. */
function moduleRoot(
  runtime: Runtime,
  { folder, location: { workspace, workspaceReal } }: PackageOptions,
): string | undefined {
  const above = ancestors(folder, runtime.platform);
  if (above.some((at) => runtime.isThere(joined(at, "go.work")))) return undefined;
  const root = above.find((at) => runtime.isThere(joined(at, "go.mod")));
  const isInside = root !== undefined &&
    ancestors(root, runtime.platform).some((at) => at === workspace || at === workspaceReal);
  return isInside ? root : undefined;
}

/** The most modules of a go.sum, and characters of a file, that are looked at. */
const MAX_LINES = 5000;
const MAX_TEXT = 1 << 20;

class GoModule {
  readonly #runtime: Runtime;
  readonly #root: string;
  readonly #toolchain: { readonly version: Version; readonly isFixed: boolean };
  readonly #location: PackageOptions["location"];

  constructor(runtime: Runtime, { root, toolchain, location }: {
    readonly root: string;
    readonly toolchain: { readonly version: Version; readonly isFixed: boolean };
    readonly location: PackageOptions["location"];
  }) {
    this.#runtime = runtime;
    this.#root = root;
    this.#toolchain = toolchain;
    this.#location = location;
  }

  /** True if the toolchain is new enough for it, and no version of it has to be looked up. */
  isReadable(): boolean {
    const text = this.#definition();
    return text !== undefined && areVersionsFixed(text) &&
      this.#isNewEnough(text, { hasToolchain: true });
  }

  /** True if all of its modules are there as well. */
  isWhole(): boolean {
    const text = this.#definition();
    if (text === undefined || !this.isReadable() || !this.#areReplacedInside(text)) return false;
    const line = versionIn(text, "go");
    const isVendored = line !== undefined && isAtMost([1, 14, 0], line) &&
      this.#runtime.stat(joined(this.#root, "vendor/modules.txt")) === "file";
    return isVendored || this.#hasSums();
  }

  /** The text of its go.mod without comments; undefined where a quoted word may be one that the look does not see. */
  #definition(): string | undefined {
    const text = this.#textOf(joined(this.#root, "go.mod"))?.replace(/\/\/.*/g, "");
    return text === undefined || /["`\\\0\ufeff]/.test(text) ? undefined : text;
  }

  /** True if a go.mod asks for no newer toolchain than that of the machine. */
  #isNewEnough(text: string, { hasToolchain = false } = {}): boolean {
    const { version, isFixed } = this.#toolchain;
    if (isFixed) return true;
    const names = hasToolchain ? ["go", "toolchain"] as const : ["go"] as const;
    return names.every((name) => {
      if (!new RegExp(`^[ \\t]*${name}(?![\\w./-])`, "m").test(text)) return true;
      const asked = versionIn(text, name);
      return asked !== undefined && isAtMost(asked, version);
    });
  }

  /** True if each folder that stands for a module is in the workspace and asks for no newer toolchain. */
  #areReplacedInside(text: string): boolean {
    const folders = [...text.matchAll(/=>[ \t]*(\.{1,2}(?:\/\S*)?|\/\S*)/g)].map(([, path]) =>
      path!
    );
    if (folders.length > 200) return false;
    const { workspaceReal } = this.#location;
    return folders.every((path) => {
      const at = this.#runtime.realPath(path.startsWith("/") ? path : joined(this.#root, path));
      if (at === null || at !== workspaceReal && !at.startsWith(`${workspaceReal}/`)) return false;
      const own = this.#textOf(joined(at, "go.mod"));
      return own !== undefined && this.#isNewEnough(own);
    });
  }

  /** True if each module that go.sum names is in the cache; a module without a go.sum has none. */
  #hasSums(): boolean {
    const path = joined(this.#root, "go.sum");
    if (!this.#runtime.isThere(path)) return true;
    const lines = this.#textOf(path)?.split("\n").filter((line) => line.trim() !== "");
    const cache = this.#cache();
    if (lines === undefined || lines.length > MAX_LINES || cache === undefined) return false;
    return lines.every((line) => this.#isCached(line.trim(), cache));
  }

  #isCached(line: string, cache: string): boolean {
    const found = SUM.exec(line);
    if (found === null) return false;
    const [, path = "", version = "", isText] = found;
    const [module, at] = [path, version].map((each) =>
      each.replace(/[A-Z]/g, (letter) => `!${letter.toLowerCase()}`)
    );
    const stored = `${cache}/cache/download/${module}/@v/${at}`;
    if (isText !== undefined) {
      const text = this.#textOf(`${stored}.mod`);
      return text !== undefined && this.#isNewEnough(text);
    }
    return this.#runtime.stat(`${stored}.ziphash`) === "file" &&
      this.#runtime.stat(`${cache}/${module}@${at}`) === "directory" &&
      !this.#runtime.isThere(`${stored}.partial`);
  }

  /** The folder of the module cache. */
  #cache(): string | undefined {
    const { home } = this.#location;
    const own = this.#runtime.env("GOMODCACHE") || undefined;
    const first = (this.#runtime.env("GOPATH") ?? "").split(":").find((each) => each !== "");
    const top = first ?? (home === undefined ? undefined : joined(home, "go"));
    const folder = own ?? (top === undefined ? undefined : joined(top, "pkg/mod"));
    return folder?.startsWith("/") ? folder.replace(/\/+$/, "") : undefined;
  }

  /** The text of a file; undefined if it is not there, or too long. */
  #textOf(path: string): string | undefined {
    if (this.#runtime.stat(path) !== "file") return undefined;
    const text = this.#runtime.readText(path);
    return text.length > MAX_TEXT ? undefined : text;
  }
}

/** A line of go.sum: a module, its version, `/go.mod` where only that is meant, and the hash. */
const SUM = /^([\w.~/-]+) (v[\w.+-]+)(\/go\.mod)? h1:[\w+/=]+$/;

function joined(folder: string, name: string): string {
  return `${folder === "/" ? "" : folder}/${name}`;
}
