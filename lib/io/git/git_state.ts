import type { GitState } from "../../pattern/path/call_path.ts";
import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { folderRepository } from "./folder_repository.ts";
import {
  forcesFetch,
  type GitFolder,
  GitFolders,
  holdsSecret,
  hooksFolder,
  programSetting,
  type WorkspaceFolders,
} from "./git_folders.ts";

/** The folder that git runs in, and the workspace with the home folder. */
export interface StateOptions {
  readonly folder: string;
  readonly location: WorkspaceFolders;
  /** Folders of repositories that the user names as one's own: `~/src/*`. */
  readonly repositories?: readonly string[];
}

/**
 * The repository whose configuration git reads in a folder, found as git does; undefined where there is none. Starts no process
 * and never throws: what cannot be read is not one's own.
 */
export function gitState(runtime: Runtime, options: StateOptions): GitState | undefined {
  try {
    return new Finder(runtime, options).find(options.folder);
  } catch (error) {
    if (!(error instanceof FileError || error instanceof RangeError)) throw error;
    return unusable(options.folder, "its repository cannot be read");
  }
}

function unusable(root: string, why: string): GitState {
  return {
    root,
    why,
    isModule: false,
    hooks: "any",
    mayHoldSecrets: true,
    hasName: () => false,
    files: () => undefined,
  };
}

/** The most repositories of an index that are looked at. */
const MAX_MODULES = 100;

class Finder {
  readonly #runtime: Runtime;
  readonly #options: StateOptions;
  readonly #folders: GitFolders;

  constructor(runtime: Runtime, options: StateOptions) {
    this.#runtime = runtime;
    this.#options = options;
    this.#folders = new GitFolders(runtime, options.location, options.repositories);
  }

  find(folder: string): GitState | undefined {
    for (const at of ancestors(folder, this.#runtime.platform)) {
      if (this.#folders.isThere(at, ".git")) {
        const own = this.#folders.gitFolder(at);
        if (own !== undefined) return this.#stateOf(at, own);
      }
      if (this.#folders.isGitFolder(at)) {
        return unusable(at, "a bare repository does not count as your own");
      }
    }
    return undefined;
  }

  #stateOf(root: string, path: string): GitState {
    const git = this.#folders.read(path);
    const { settings } = git;
    const isWhole = this.#folders.isAtOrAboveWorkspace(root);
    const isModule = git.isModule && !isWhole;
    const isOwn = isModule || isWhole ||
      this.#folders.isNamed(root);
    if (!isOwn) return unusable(root, "it is another repository than the workspace's");
    if (settings === undefined) return unusable(root, "its configuration is not plain");
    const named = hooksFolder(settings);
    const others = settings.filter(({ key }) => key !== "core.hookspath");
    const program = programSetting(others, { isModule }) ??
      (named === "elsewhere" ? "core.hookspath" : undefined);
    if (program !== undefined) return unusable(root, `its configuration sets ${program}`);
    const entries = this.#entries(git);
    if (entries === undefined) return unusable(root, "its index cannot be read");
    const nested = this.#foreignModule(root, entries);
    if (nested !== undefined) return unusable(root, `${nested} is a repository of its own`);
    const { join } = pathStyle(this.#runtime.platform);
    const user = this.#userSettings();
    return {
      root,
      isModule,
      hooks: /hookspath|\[include/i.test(user)
        ? "any"
        : this.#hooksIn(named === undefined ? join(git.shared, "hooks") : join(root, named)),
      mayHoldSecrets: /insteadof|\[include/i.test(user) || settings.some(holdsSecret),
      forcesFetch: settings.some(forcesFetch),
      hasName: (name) => this.#hasName(git, name),
      files: () => entries.map((entry) => entry.path),
    };
  }

  /** The entries of the index; none where there is no index yet. */
  #entries({ own, settings }: GitFolder): ReturnType<typeof indexEntries> {
    const path = pathStyle(this.#runtime.platform).join(own, "index");
    if (!this.#runtime.isThere(path)) return [];
    const isLong = settings?.some(({ key, value }) =>
      key === "extensions.objectformat" && value.toLowerCase() === "sha256"
    );
    return indexEntries(this.#runtime.readBytes(path), { hashBytes: isLong ? 32 : 20 });
  }

  /** A repository of the index, into which `git status` goes, whose configuration may name a program. */
  #foreignModule(
    root: string,
    entries: NonNullable<ReturnType<typeof indexEntries>>,
  ): string | undefined {
    const modules = entries.filter(({ isRepository }) => isRepository);
    if (modules.length > MAX_MODULES) return modules[0]!.path;
    const { join } = pathStyle(this.#runtime.platform);
    const { location, repositories = [] } = this.#options;
    return modules.find(({ path }) => {
      const folder = join(root, ...path.split("/"));
      return folderRepository(this.#runtime, { folder, location, repositories }) === "foreign";
    })?.path;
  }

  /** The names of hooks in a folder. */
  #hooksIn(folder: string): GitState["hooks"] {
    if (this.#runtime.stat(folder) === undefined) return [];
    const entries = this.#runtime.listFolder(folder);
    return entries === null
      ? "any"
      : entries.map(({ name }) => name).filter((name) => !name.endsWith(".sample"));
  }

  /** The text of the user's and the machine's configuration; one that includes any where they cannot be read. */
  #userSettings(): string {
    const { join } = pathStyle(this.#runtime.platform);
    const { home } = this.#options.location;
    const own = home === undefined
      ? []
      : [join(home, ".gitconfig"), join(home, ".config", "git", "config")];
    try {
      return ["/etc/gitconfig", ...own].map((path) => this.#folders.textAt(path) ?? "").join("\n");
    } catch (error) {
      if (error instanceof FileError) return "[include]";
      throw error;
    }
  }

  #hasName({ own, shared }: GitFolder, name: string): boolean {
    if (!/^(?!.*(?:\.\.|\/\/|\.lock$))[\w][\w./+@-]*$/.test(name) || /[/.]$/.test(name)) {
      return false;
    }
    const { join } = pathStyle(this.#runtime.platform);
    const parts = name.split("/");
    // Such a file, as FETCH_HEAD, comes first.
    if ([join(own, ...parts), join(shared, "refs", ...parts)].some((path) => this.#isThere(path))) {
      return false;
    }
    const packed = this.#folders.textAt(join(shared, "packed-refs")) ?? "";
    return ["heads", "tags"].some((kind) =>
      this.#isThere(join(shared, "refs", kind, ...parts)) ||
      packed.includes(` refs/${kind}/${name}\n`)
    );
  }

  #isThere(path: string): boolean {
    return this.#runtime.stat(path) !== undefined;
  }
}

/** One entry of an index. */
interface IndexEntry {
  /** Its path from the root of the work tree. */
  readonly path: string;
  /** True for a submodule or another repository. */
  readonly isRepository: boolean;
}

/** The most entries that are read. */
const MAX_ENTRIES = 100_000;

/**
 * The entries of an index; undefined if it cannot be read, is split or sparse, or has more than 100,000. Source:
 * gitformat-index(5).
 */
function indexEntries(
  bytes: Uint8Array,
  { hashBytes }: { readonly hashBytes: 20 | 32 },
): readonly IndexEntry[] | undefined {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (bytes.length < HEADER + hashBytes || view.getUint32(0) !== DIRC) return undefined;
  const [version, count] = [view.getUint32(4), view.getUint32(8)];
  if (version < 2 || version > 4 || count > MAX_ENTRIES) return undefined;
  const decoder = new TextDecoder();
  const entries: IndexEntry[] = [];
  const end = bytes.length - hashBytes;
  let at = HEADER;
  let last: Uint8Array = new Uint8Array();
  for (let left = count; left > 0; left--) {
    const start = at;
    at += STAT + hashBytes + 2;
    if (at > end) return undefined;
    const mode = view.getUint32(start + MODE);
    if (version > 2 && (view.getUint16(at - 2) & EXTENDED) !== 0) at += 2;
    let kept = 0;
    if (version === 4) {
      const stripped = readOffset(bytes, at);
      if (stripped === undefined || stripped.value > last.length) return undefined;
      kept = last.length - stripped.value;
      at = stripped.next;
    }
    const nul = bytes.indexOf(0, at);
    if (nul < 0 || nul >= end) return undefined;
    const name = new Uint8Array(kept + nul - at);
    name.set(last.subarray(0, kept));
    name.set(bytes.subarray(at, nul), kept);
    last = name;
    if ((mode & TYPE) === FOLDER) return undefined;
    entries.push({ path: decoder.decode(name), isRepository: (mode & TYPE) === GITLINK });
    at = version === 4 ? nul + 1 : start + Math.ceil((nul + 1 - start) / 8) * 8;
  }
  return isSplit(view, { at, end }) ? undefined : entries;
}

/** True if an extension says that further entries stand in another file, or for folders. */
function isSplit(view: DataView, { at, end }: { at: number; end: number }): boolean {
  for (let next = at; next + 8 <= end; next += 8 + view.getUint32(next + 4)) {
    const name = view.getUint32(next);
    if (name === LINK || name === SDIR) return true;
  }
  return false;
}

/** A number of variable width, as the offsets of a pack. */
function readOffset(
  bytes: Uint8Array,
  from: number,
): { readonly value: number; readonly next: number } | undefined {
  let value = 0;
  for (let at = from; at < Math.min(from + 5, bytes.length); at++) {
    const byte = bytes[at]!;
    value = value * 128 + (byte & 0x7f);
    if ((byte & 0x80) === 0) return { value, next: at + 1 };
    value++;
  }
  return undefined;
}

const DIRC = 0x44495243;
const LINK = 0x6c696e6b;
const SDIR = 0x73646972;
const HEADER = 12;
const STAT = 40;
const MODE = 24;
const EXTENDED = 0x4000;
const TYPE = 0o170000;
const FOLDER = 0o040000;
const GITLINK = 0o160000;
