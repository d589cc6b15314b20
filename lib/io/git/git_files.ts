import { spawn } from "node:child_process";
import { ancestors, pathStyle } from "../../policy/sources/path_style.ts";
import { findProgram } from "../process/find_program.ts";
import { codeOf, decodeText, MAX_BYTES } from "../runtime/file_fault.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";
import { findRepository } from "./repository.ts";
import { concatBytes } from "../../text/byte_lines.ts";

/** A revision of a repository. */
export interface RevisionPlace {
  /** A folder in the repository's working tree, absolute. */
  readonly folder: string;
  /** The revision, as git names it: `HEAD~1`, `origin/main`, a hash. */
  readonly revision: string;
}

/** The files of one revision. */
export interface Revision {
  /** The path of the folder in the repository, ending in a slash; empty for its top. */
  readonly prefix: string;
  /** The kind of a path of the repository; undefined if nothing is there. Throws FileError for links and submodules. */
  kind(path: string): Promise<"file" | "folder" | undefined>;
  /** A file's text, a byte order mark kept; undefined where there is none. Throws FileError. */
  text(path: string): Promise<string | undefined>;
}

/** The output and status of git. */
interface Ran {
  readonly status: number;
  readonly stdout: Uint8Array;
  readonly stderr: string;
}

/** Arguments that disable settings of the repository that could start a program. */
const SAFE = [
  "--no-pager",
  "--no-replace-objects",
  "--literal-pathspecs",
  "-c",
  "core.fsmonitor=false",
  "-c",
  "safe.bareRepository=explicit",
];

/** The environment variables that git gets; none of its own. */
const KEPT = ["PATH", "HOME", "XDG_CONFIG_HOME", "USERPROFILE", "SYSTEMROOT", "PATHEXT", "TMPDIR"];

const FIXED = {
  LC_ALL: "C",
  GIT_OPTIONAL_LOCKS: "0",
  GIT_TERMINAL_PROMPT: "0",
  // A missing object is not fetched, or the repository's settings would say by which program.
  GIT_NO_LAZY_FETCH: "1",
  GIT_ALLOW_PROTOCOL: "none",
};

/**
 * Opens a revision of the repository that a folder lies in. Git is asked with commands that start no other program under any
 * settings of the repository and any environment. Throws FileError: `not-found` for a revision that is not there.
 */
export async function openRevision(runtime: Runtime, place: RevisionPlace): Promise<Revision> {
  const { folder, revision } = place;
  const name = `git:${revision}`;
  const { root, prefix } = workTreeOf(runtime, folder);
  const git = (args: readonly string[]) => runGit(args, { runtime, folder: root, name });
  const top = await git(["rev-parse", "--show-prefix"]);
  const isTop = top.status === 0 && /^\n?$/.test(new TextDecoder().decode(top.stdout));
  if (!isTop) throw failed(name, `"${folder}" is in no repository that git reads`, top);
  const tree = await treeOf(revision, { name, git });
  const find = (path: string) => findEntry(path, { tree, name, git });
  return {
    prefix,
    kind: async (path) => path === "" ? "folder" : (await find(path))?.kind,
    text: async (path) => {
      const entry = await find(path);
      return entry?.kind === "file"
        ? await textOf(entry, { path: `${name}:${path}`, git })
        : undefined;
    },
  };
}

/**
 * True if git reports a file of a folder as untracked, which it never does for a file behind a link or in a submodule; false
 * if it cannot tell. Throws FileError if git cannot be run.
 */
export async function isUntracked(
  runtime: Runtime,
  { folder, path }: { readonly folder: string; readonly path: string },
): Promise<boolean> {
  const { root, prefix } = workTreeOf(runtime, folder);
  const whole = `${prefix}${path}`;
  const { status, stdout } = await runGit(["ls-files", "-z", "--others", "--", whole], {
    runtime,
    folder: root,
    name: path,
  });
  return status === 0 && new TextDecoder().decode(stdout) === `${whole}\0`;
}

/** The folder with the nearest `.git`, and the path to a folder from there; git runs there, since any other may be a bare repository. */
function workTreeOf(
  runtime: Runtime,
  folder: string,
): { readonly root: string; readonly prefix: string } {
  const real = runtime.realPath(folder) ?? folder;
  const root = findRepository(runtime, real) ?? real;
  const { split } = pathStyle(runtime.platform);
  const below = split(real).segments.slice(split(root).segments.length);
  return { root, prefix: below.map((name) => `${name}/`).join("") };
}

interface Asking {
  readonly name: string;
  readonly git: (args: readonly string[]) => Promise<Ran>;
}

async function treeOf(revision: string, { name, git }: Asking): Promise<string> {
  // INVARIANT: what begins with a dash never reaches git as an argument of its own.
  if (!revision.startsWith("-") && !revision.includes("\0")) {
    const ran = await git(["rev-parse", "--verify", "--quiet", `${revision}^{tree}`]);
    const hash = new TextDecoder().decode(ran.stdout).trim();
    if (ran.status === 0 && /^[0-9a-f]{40,64}$/.test(hash)) return hash;
  }
  const message = `Cannot read "${name}": the repository has no such revision ` +
    "(a shallow clone has only the newest ones)";
  throw new FileError(message, { path: "git", fault: "not-found" });
}

/** The entry of a tree at a path. */
interface TreeEntry {
  readonly kind: "file" | "folder";
  readonly hash: string;
  readonly size: number;
}

async function findEntry(
  path: string,
  { tree, name, git }: Asking & { readonly tree: string },
): Promise<TreeEntry | undefined> {
  const parts = path.split("/");
  // Each folder on the way is asked for, since a link there would look like nothing.
  const paths = parts.map((_part, index) => parts.slice(0, index + 1).join("/"));
  const ran = await git(["ls-tree", "-z", "-l", "-t", "--full-tree", tree, "--", ...paths]);
  if (ran.status !== 0) throw failed(`${name}:${path}`, "git cannot list its folder", ran);
  const lines = new TextDecoder().decode(ran.stdout).split("\0").slice(0, -1);
  const found = new Map(lines.map((line) => listed(line, `${name}:${path}`)));
  for (const each of paths) {
    const entry = found.get(each);
    if (entry === undefined) return undefined;
    const isFile = entry.mode.startsWith("100");
    if (each === path && isFile) return { ...entry, kind: "file" };
    if (entry.mode.startsWith("040")) continue;
    if (isFile) return undefined;
    throw unfit(
      `${name}:${path}`,
      `"${each}" is a link or a submodule there, which is not followed`,
    );
  }
  const { hash, size } = found.get(path)!;
  return { kind: "folder", hash, size };
}

/** One line of a listing. An unknown format is an error, since it would look like a missing file. */
function listed(line: string, path: string) {
  // The size of a file whose contents are missing is BAD; reading it then fails.
  const [, mode = "", hash = "", size = "", at = ""] =
    /^(\d{6}) \w+ ([0-9a-f]+) +(\d+|-|BAD)\t(.+)$/s.exec(line) ?? [];
  if (at === "") throw unfit(path, "git lists its folder in an unknown format");
  return [at, { mode, hash, size: Number(size) || 0 }] as const;
}

async function textOf(
  { hash, size }: TreeEntry,
  { path, git }: { readonly path: string; readonly git: Asking["git"] },
): Promise<string> {
  if (size > MAX_BYTES) throw unfit(path, `it is larger than ${MAX_BYTES / 1024 / 1024} MiB`);
  const ran = await git(["cat-file", "blob", hash]);
  if (ran.status !== 0) throw failed(path, "git does not have its contents", ran);
  return decodeText(ran.stdout, { path, verb: "read" });
}

function unfit(path: string, detail: string): FileError {
  return new FileError(`Cannot read "${path}": ${detail}`, { path: "git", fault: "other" });
}

/** An error with the first line of git's own message. */
function failed(path: string, detail: string, { stderr }: Ran): FileError {
  const [message = ""] = stderr.trim().split("\n");
  return unfit(path, message === "" ? detail : `${detail} (${message.slice(0, 300)})`);
}

interface Running {
  readonly runtime: Runtime;
  readonly folder: string;
  readonly name: string;
}

/** Runs git and keeps its output. Throws FileError if git cannot be started. */
function runGit(args: readonly string[], { runtime, folder, name }: Running): Promise<Ran> {
  const env = { ...keptVariables(runtime), ...FIXED };
  // A clone's own "git" is no git: neither below the folder nor elsewhere in its repository.
  const program = findProgram(runtime, { name: "git", outside: [cloneOf(runtime, folder)] });
  return new Promise((resolve, reject) => {
    if (program === undefined) return reject(notStarted(name, undefined));
    try {
      const child = spawn(program, [...SAFE, ...args], {
        cwd: folder,
        env,
        stdio: ["ignore", "pipe", "pipe"],
        windowsHide: true,
      });
      const stdout: Uint8Array[] = [];
      const stderr: Uint8Array[] = [];
      child.stdout.on("data", (chunk: Uint8Array) => stdout.push(chunk));
      child.stderr.on("data", (chunk: Uint8Array) => stderr.push(chunk));
      child.on("error", (cause) => reject(notStarted(name, cause)));
      child.on("close", (status) =>
        resolve({
          status: status ?? -1,
          stdout: concatBytes(stdout),
          stderr: new TextDecoder().decode(concatBytes(stderr)),
        }));
    } catch (cause) {
      reject(notStarted(name, cause));
    }
  });
}

/** The repository round a folder; the folder itself where there is none, or that is the whole file system. */
function cloneOf(runtime: Runtime, folder: string): string {
  const repository = findRepository(runtime, folder);
  const isAll = repository === undefined || ancestors(repository, runtime.platform).length < 2;
  return isAll ? folder : repository;
}

function keptVariables(runtime: Runtime): Record<string, string> {
  return Object.fromEntries(KEPT.flatMap((name) => {
    const value = runtime.env(name);
    return value === undefined ? [] : [[name, value]];
  }));
}

function notStarted(name: string, cause: unknown): FileError {
  const refused = cause instanceof Error && cause.name === "NotCapable";
  const detail = refused
    ? "run with --allow-run=git"
    : cause === undefined || codeOf(cause) === "ENOENT"
    ? "git is not installed, or not on the PATH outside of the repository"
    : `git cannot be started (${cause instanceof Error ? cause.message : String(cause)})`;
  const options = { path: "git", fault: refused ? "missing-flag" : "other", cause } as const;
  return new FileError(`Cannot read "${name}": ${detail}`, options);
}
