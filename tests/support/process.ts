/** The command line as users start it: real processes, under Deno and under Bun. */
import { type ChildProcessWithoutNullStreams, spawn, spawnSync } from "node:child_process";
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { sample } from "./cases.ts";
import { cacheEnv, REPO } from "./spec_run.ts";

/** A runtime that starts the command line. */
export type Program = "deno" | "bun";

/** Both. */
export const PROGRAMS: readonly Program[] = ["deno", "bun"];

/** The runtimes that a test is tried with: with `all` both, else one of them, the other the next day. */
export const TRIED: readonly Program[] = sample(PROGRAMS, 1, 1);

/** The runtime that runs this. */
export const HERE: Program = "Deno" in globalThis ? "deno" : "bun";

/**
 * The command that starts a runtime. The one that runs this need not be on the PATH, so its path stands here. The path is
 * spelled in another way, because Deno's `node:child_process` adds `--allow-all` to a call of its own path that passes no
 * permission.
 */
export function commandOf(program: Program): string {
  return program === HERE
    ? `${dirname(process.execPath)}/./${basename(process.execPath)}`
    : program;
}

const reasons = new Map<Program, string | false>();

/** Why a runtime cannot start our programs here; false when it can. */
export function without(program: Program): string | false {
  const known = reasons.get(program);
  if (known !== undefined) return known;
  const reason = missing(program);
  reasons.set(program, reason);
  return said(reason);
}

/** Says why tests of this file are skipped, for `deno test` does not. */
export function said(reason: string | false): string | false {
  if (reason !== false) process.stderr.write(`Tests are skipped: ${reason}\n`);
  return reason;
}

function missing(program: Program): string | false {
  const command = commandOf(program);
  if (spawnSync(command, ["--version"]).error !== undefined) return `needs ${program} on the PATH`;
  const manifest = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8"));
  const names = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies });
  if (program === "bun") {
    const installed = names.every((name) => existsSync(join(REPO, "node_modules", name)));
    return installed ? false : "needs bun install --frozen-lockfile";
  }
  if (program === HERE) return false;
  const args = [
    "run",
    "--quiet",
    "--no-prompt",
    "--allow-env",
    "--allow-read",
    "--cached-only",
    "-",
  ];
  const input = names.map((name) => `import ${JSON.stringify(name)};`).join("\n");
  const { status } = spawnSync(command, args, { cwd: REPO, input });
  return status === 0 ? false : "needs deno install";
}

/** The program that users start. */
export const CLI = join(REPO, "cli.ts");

/** The flags of Bun in every folder that is not ours, so that nothing in it configures Bun. */
export const BUN_FLAGS: readonly string[] = [
  "--no-env-file",
  `--config=${join(REPO, "bunfig.toml")}`,
  `--tsconfig-override=${join(REPO, "deno.json")}`,
];

/** The words before a command line's own: Deno gets `--allow-…` for each name in `allow`, which Bun does not know. */
export function starter(
  program: Program,
  allow: readonly string[] = ["read", "env", "write"],
): readonly string[] {
  if (program === "bun") return [commandOf(program), ...BUN_FLAGS, CLI];
  const flags = allow.map((name) => `--allow-${name}`);
  return [commandOf(program), "run", "--quiet", "--no-prompt", "--cached-only", ...flags, CLI];
}

/** The folder, variables, input and user of a process. */
export interface Place {
  /** Its folder. */
  readonly cwd: string;
  /** Variables beside PATH and those that name the caches; its home is there only when HOME is among them. */
  readonly env?: Readonly<Record<string, string>>;
  /** Its standard input; nothing when left out. */
  readonly input?: string | Uint8Array;
  /** The user it runs as. */
  readonly uid?: number;
}

/** The end and the output of a process. */
export interface Ended {
  /** Its exit status, or the signal that ended it. */
  readonly status: number | string;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
}

/** Starts a command (its words) with pipes to all its streams. */
export function start(words: readonly string[], place: Place): ChildProcessWithoutNullStreams {
  const [program = "", ...args] = words;
  const { cwd, uid } = place;
  const child = spawn(program, args, {
    cwd,
    env: environment(place.env),
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  // A process that does not read its input closes the pipe.
  child.stdin.on("error", () => child.stdin.destroy());
  return child;
}

/** Runs a command (its words) to its end. */
export function finish(words: readonly string[], place: Place): Promise<Ended> {
  const child = start(words, place);
  child.stdin.end(place.input ?? "");
  return endOf(child);
}

/** Resolves at the end of a process to its status and all that it printed. */
export function endOf(child: ChildProcessWithoutNullStreams): Promise<Ended> {
  const printed = { stdout: "", stderr: "" };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].setEncoding("utf8").on("data", (text: string) => printed[name] += text);
  }
  return new Promise((resolve, reject) => {
    child.on("error", reject);
    child.on("close", (status, signal) => resolve({ status: status ?? `${signal}`, ...printed }));
  });
}

/** PATH, where the runtimes keep what they have downloaded, and `more`. */
export function environment(more: Readonly<Record<string, string>> = {}): Record<string, string> {
  const { PATH = "", HOME = "", BUN_INSTALL_CACHE_DIR } = process.env;
  return {
    PATH,
    BUN_INSTALL_CACHE_DIR: BUN_INSTALL_CACHE_DIR ?? join(HOME, ".bun/install/cache"),
    ...cacheEnv(),
    ...more,
  };
}

/** The text that was printed for people, with each wrapped sentence in one line again. */
export function unwrapped(printed: string): string {
  return printed.replaceAll(/\n {6,}(?=\S)/g, " ");
}

/** Everything below a folder, by path: a file's mode and bytes in hexadecimal, a link's text. */
export function treeOf(folder: string): ReadonlyMap<string, string> {
  return new Map(entriesBelow(folder, ""));
}

/** Not by readdir's own recursion: Bun's follows links. */
function entriesBelow(folder: string, prefix: string): readonly (readonly [string, string])[] {
  return readdirSync(folder).toSorted().flatMap((name) => {
    const path = join(folder, name);
    const below = lstatSync(path).isDirectory() ? entriesBelow(path, `${prefix}${name}/`) : [];
    return [[`${prefix}${name}`, entryOf(path)] as const, ...below];
  });
}

function entryOf(path: string): string {
  const facts = lstatSync(path);
  if (facts.isSymbolicLink()) return `link to ${readlinkSync(path)}`;
  const mode = (facts.mode & 0o7777).toString(8);
  return facts.isFile() ? `${mode} ${readFileSync(path).toString("hex")}` : `${mode} folder`;
}
