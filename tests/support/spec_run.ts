import { spawnSync } from "node:child_process";
import {
  existsSync,
  mkdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { basename, dirname, join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { findVerb } from "../../lib/cli/args/verb.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { run } from "../../lib/cli/run.ts";
import { FileError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { parseSpec, renderSpec } from "./spec.ts";
import type { Section } from "./spec.ts";
import { filled, shellWords } from "./spec_words.ts";
import { trustWorkspace } from "./trust.ts";

/** The repository's folder. */
export const REPO = fileURLToPath(new URL("../../", import.meta.url)).replace(/\/$/, "");

const ABSENT = "(absent)\n";

/** The state between two runs. */
interface Scene {
  /** The paths that `$DIR` and its like stand for. */
  readonly variables: ReadonlyMap<string, string>;
  /** The environment. */
  readonly env: Map<string, string>;
  /** The folder that runs start in. */
  cwd: string;
  /** Standard input of the next run. */
  stdin: string;
  /** `here`: runs are made in the tests' own process; `process`: each in one of its own. */
  kind: "here" | "process";
  /** The workspaces whose policy files were written since the last run, to be trusted before the next. */
  readonly untrusted: Set<string>;
}

/** The outcome of one run. */
export interface Outcome {
  /** The exit status. */
  readonly status: number;
  /** Its standard output. */
  readonly stdout: string;
  /** Its standard error. */
  readonly stderr: string;
}

/**
 * Runs `use` with a new folder and removes it afterwards. Its path is always equally long, because text is wrapped and cut by
 * its length.
 */
export async function withScene<T>(use: (folder: string) => Promise<T>): Promise<T> {
  const folder = join(realpathSync("/tmp"), `caliban-${crypto.randomUUID().slice(0, 8)}`);
  mkdirSync(folder);
  try {
    return await use(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Plays a spec in `folder` (empty) and returns its text with everything expected replaced by what really happened. */
export async function playSpec(text: string, folder: string): Promise<string> {
  const spec = parseSpec(text);
  const scene = newScene(folder);
  const sections: Section[] = [];
  for (const section of spec.sections) {
    if (section.name === "status" || section.name === "stdout" || section.name === "stderr") {
      continue;
    }
    if (section.name === "after") {
      sections.push({ ...section, body: textAfter(scene, section.argument) });
      continue;
    }
    sections.push(section);
    if (section.name === "run" || section.name === "then") {
      await trustWritten(scene, spec.trust);
      sections.push(...outcomeSections(scene, await playRun(scene, section.body)));
    } else {
      prepare(scene, section);
    }
  }
  return renderSpec({ ...spec, sections });
}

function newScene(folder: string): Scene {
  const dir = join(folder, "work");
  const home = join(folder, "home");
  mkdirSync(dir);
  mkdirSync(home);
  return {
    variables: new Map([["$DIR", dir], ["$HOME", home], ["$TOP", folder], ["$REPO", REPO]]),
    env: new Map([["HOME", home]]),
    cwd: dir,
    stdin: "",
    kind: "here",
    untrusted: new Set(),
  };
}

/**
 * Trusts the workspaces that sections have set up, as `caliban trust` does: most specs are about something else. One that is
 * broken stays as it is, since the run is to say so.
 */
async function trustWritten(scene: Scene, trust: "given" | "none"): Promise<void> {
  const runtime = await runtimeOf(scene);
  for (const folder of trust === "given" ? scene.untrusted : []) {
    try {
      await trustWorkspace(folder, runtime);
    } catch (error) {
      if (!(error instanceof FileError)) throw error;
    }
  }
  scene.untrusted.clear();
}

/** Notes the workspace that a path in its `.caliban` belongs to. */
function noteWorkspace(scene: Scene, path: string): void {
  const [, folder] = /^(.+)\/\.caliban(?:\/[^/]*)?$/.exec(path) ?? [];
  if (folder !== undefined) scene.untrusted.add(folder);
}

function prepare(scene: Scene, { name, argument, body }: Section): void {
  const path = pathIn(scene, argument);
  const text = filled(body, scene.variables);
  switch (name) {
    case "file":
      mkdirSync(dirname(path), { recursive: true });
      noteWorkspace(scene, path);
      return writeFileSync(path, text);
    case "link":
      mkdirSync(dirname(path), { recursive: true });
      noteWorkspace(scene, path);
      return symlinkSync(text.trimEnd(), path);
    case "folder":
      mkdirSync(path, { recursive: true });
      return;
    case "cwd":
      mkdirSync(path, { recursive: true });
      scene.cwd = path;
      return;
    case "env":
      for (const line of text.trimEnd().split("\n")) {
        const equals = line.indexOf("=");
        if (equals < 1) throw new Error(`Cannot read the variable "${line}"`);
        scene.env.set(line.slice(0, equals), line.slice(equals + 1));
      }
      return;
    case "stdin":
      scene.stdin = text;
      return;
    case "process":
      scene.kind = "process";
  }
}

async function playRun(scene: Scene, line: string): Promise<Outcome> {
  const [program, ...argv] = shellWords(line, scene.variables);
  if (program !== "caliban") throw new Error(`A run begins with caliban: "${line}"`);
  const outcome = scene.kind === "here" ? await runHere(scene, argv) : runProcess(scene, argv);
  scene.stdin = "";
  return outcome;
}

/** This machine with the scene's environment and current folder. */
async function runtimeOf(scene: Scene): Promise<Runtime> {
  return {
    ...await chooseRuntime(),
    env: (name) => scene.env.get(name),
    cwd: () => scene.cwd,
  };
}

/** Runs the command line in this process; files are real, everything else is the scene's. */
async function runHere(scene: Scene, argv: readonly string[]): Promise<Outcome> {
  const printed = { stdout: "", stderr: "" };
  const runtime: Runtime = {
    ...await runtimeOf(scene),
    async *stdin() {
      yield await Promise.resolve(new TextEncoder().encode(scene.stdin));
    },
    isTerminal: () => false,
    columns: () => 80,
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(argv, runtime);
  return { status, ...printed };
}

/** Runs the command line in a process of its own, as users do, with the verb's permissions only. */
function runProcess(scene: Scene, argv: readonly string[]): Outcome {
  const { execPath } = process;
  const flags = "Deno" in globalThis ? denoFlags(argv) : ["--no-env-file"];
  const { status, stdout, stderr, error } = spawnSync(
    // To its own path Deno would add --allow-all where a verb needs no permission.
    `${dirname(execPath)}/./${basename(execPath)}`,
    [...flags, join(REPO, "cli.ts"), ...argv],
    {
      cwd: scene.cwd,
      env: { ...cacheEnv(), ...Object.fromEntries(scene.env) },
      input: scene.stdin,
      encoding: "utf8",
    },
  );
  if (error !== undefined) throw error;
  return { status: status ?? -1, stdout, stderr };
}

function denoFlags(argv: readonly string[]): readonly string[] {
  const permissions = findVerb(argv, VERBS)?.verb.permissions ?? [];
  const allowed = permissions.map((permission) => `--allow-${permission}`);
  return ["run", "--quiet", "--no-prompt", "--cached-only", ...allowed];
}

/**
 * The variables that name the caches of Deno and Bun. In a home of one's own these would be empty, and Bun would still write
 * its cache when the home is removed.
 */
export function cacheEnv(): Record<string, string> {
  const { DENO_DIR, BUN_RUNTIME_TRANSPILER_CACHE_PATH, XDG_CACHE_HOME, HOME = "" } = process.env;
  return {
    DENO_DIR: DENO_DIR ?? join(XDG_CACHE_HOME ?? join(HOME, ".cache"), "deno"),
    BUN_RUNTIME_TRANSPILER_CACHE_PATH: BUN_RUNTIME_TRANSPILER_CACHE_PATH ??
      join(HOME, ".bun/install/cache/@t@"),
  };
}

function outcomeSections(scene: Scene, outcome: Outcome): readonly Section[] {
  const stdout = masked(scene, outcome.stdout);
  const stderr = masked(scene, outcome.stderr);
  return [
    { name: "status", argument: "", body: `${outcome.status}\n` },
    ...(stdout === "" ? [] : [{ name: "stdout", argument: "", body: stdout } as const]),
    ...(stderr === "" ? [] : [{ name: "stderr", argument: "", body: stderr } as const]),
  ];
}

function textAfter(scene: Scene, argument: string): string {
  const path = pathIn(scene, argument);
  return existsSync(path) ? masked(scene, readFileSync(path, "utf8")) : ABSENT;
}

/** The text with the scene's paths replaced by what stands for them. */
function masked(scene: Scene, text: string): string {
  let masked = text;
  masked = masked.replace(/(?<=^caliban \d\S* )\((?:commit \w+, )?\w+ [\d.]+, /, "($BUILD, ");
  for (const [name, path] of scene.variables) masked = masked.replaceAll(path, name);
  // A path that was taken apart, as by a pattern with braces, still holds the name of the folder.
  return masked.replaceAll(basename(scene.variables.get("$TOP") ?? ""), "$NAME");
}

function pathIn(scene: Scene, path: string): string {
  const home = scene.variables.get("$HOME") ?? "";
  const dir = scene.variables.get("$DIR") ?? "";
  return path.startsWith("~/") ? join(home, path.slice(2)) : join(dir, path);
}
