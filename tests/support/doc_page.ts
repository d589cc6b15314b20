import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import process from "node:process";
import type { Shown } from "../../scripts/terminal_svg.ts";
import { cacheEnv, REPO } from "./spec_run.ts";

/** A fenced block of a page. */
export interface Block {
  /** The first word behind the fence: `sh`, `console`, `toml`, … */
  readonly language: string;
  /** The text between the fences, with its last newline. */
  readonly text: string;
  /** The comment above the block, as `file: a.toml` or `not run: it needs a model`; "" without one. */
  readonly directive: string;
  /** The offsets of the text in the page. */
  readonly start: number;
  readonly end: number;
}

const FENCED = /(?:^<!-- ((?:file|not run): [^\n]*?) -->\n\n?)?^```([a-z]+)\n([\s\S]*?)^```$/gm;

/** The fenced blocks of a page that name a language, in their order. */
export function blocksOf(page: string): readonly Block[] {
  return [...page.matchAll(FENCED)].map((match) => {
    const [all, directive = "", language = "", text = ""] = match;
    const end = match.index + all.length - "```".length;
    return { language, text, directive, start: end - text.length, end };
  });
}

/** A failed block: its text, and the reason in words. */
export interface Failure {
  readonly block: Block;
  readonly reason: string;
}

/** The result of playing a page. */
export interface Played {
  /** The page, with the output of each `console` block replaced by the real one. */
  readonly page: string;
  readonly failures: readonly Failure[];
}

/**
 * Runs the commands of a page in a new home folder, with `caliban` on the PATH, in a new git repository `~/project`.
 *
 * A block below `<!-- file: PATH -->` is written to that path of the project. The lines of a `console` block that begin with `$ `
 * are run, and the lines behind each are its output, where a line `…` stands for any lines. An `sh` block is run as a script, in
 * which no command may end with a status of 64 or more. A block below `<!-- not run: REASON -->` is passed over.
 */
export function playPage(page: string, folder: string): Played {
  const scene = newScene(folder);
  const failures: Failure[] = [];
  let filled = "";
  let from = 0;
  for (const block of blocksOf(page)) {
    const [kind, path = ""] = block.directive.split(": ");
    if (kind === "not run") continue;
    if (kind === "file") writeBelow(resolve(scene.project, path), block.text);
    else if (block.language === "sh") failures.push(...playScript(block, scene));
    else if (block.language === "console") {
      const { text, reasons } = playConsole(block.text, scene);
      failures.push(...reasons.map((reason) => ({ block, reason })));
      filled += page.slice(from, block.start) + text;
      from = block.end;
    }
  }
  return { page: filled + page.slice(from), failures };
}

/**
 * The output of each command, in colour and in a window of 92 columns, run one after the other in a new home folder.
 */
export function playCommands(commands: readonly string[], folder: string): readonly Shown[] {
  const scene = newScene(folder);
  const env = { ...scene.env, NO_COLOR: "", FORCE_COLOR: "1", COLUMNS: "92" };
  return commands.map((command) => ({
    command,
    output: runIn({ ...scene, env }, command).output,
  }));
}

/** The folders of a page's run. */
interface Scene {
  readonly home: string;
  readonly project: string;
  readonly env: Readonly<Record<string, string>>;
  /** The current folder, which `cd` changes. */
  cwd: string;
}

/** The files of the project. */
const PROJECT: Readonly<Record<string, string>> = {
  "README.md": "# A project\n",
  "package.json": '{ "name": "project", "scripts": { "test": "node --test" } }\n',
  "src/main.js": 'console.log("hello");\n',
};

function newScene(folder: string): Scene {
  const home = join(folder, "ada");
  const project = join(home, "project");
  const bin = join(folder, "bin");
  for (const each of [project, bin]) mkdirSync(each, { recursive: true });
  const command = "Deno" in globalThis
    ? ["run", "--quiet", "--no-prompt", "--cached-only", "-A", "--config", join(REPO, "deno.json")]
    : ["--no-env-file"];
  writeFileSync(
    join(bin, "caliban"),
    `#!/bin/sh\nexec ${[process.execPath, ...command, join(REPO, "cli.ts")].join(" ")} "$@"\n`,
  );
  chmodSync(join(bin, "caliban"), 0o755);
  const env = {
    ...cacheEnv(),
    PATH: `${bin}:${dirname(process.execPath)}:/usr/bin:/bin`,
    HOME: home,
    NO_COLOR: "1",
    LC_ALL: "C.UTF-8",
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "Ada",
    GIT_AUTHOR_EMAIL: "ada@example.org",
    GIT_COMMITTER_NAME: "Ada",
    GIT_COMMITTER_EMAIL: "ada@example.org",
  };
  const scene = { home, project, env, cwd: project };
  for (const [name, text] of Object.entries(PROJECT)) writeBelow(join(project, name), text);
  runIn(scene, "git init -q -b main . && git add . && git commit -q -m start");
  return scene;
}

function writeBelow(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true });
  writeFileSync(path, text);
}

/** Runs a script of bash; the folder that it ends in is where the next one starts. */
function runIn(scene: Scene, script: string): { readonly output: string; readonly status: number } {
  const place = join(scene.home, "..", "cwd");
  const { stdout, status, error } = spawnSync(
    "bash",
    ["-c", `trap 'pwd > ${place}' EXIT\nexec 2>&1\n${script}`],
    {
      cwd: scene.cwd,
      env: scene.env,
      encoding: "utf8",
      timeout: 300_000,
      stdio: ["ignore", "pipe", "pipe"],
    },
  );
  if (error !== undefined) throw error;
  scene.cwd = readFileSync(place, "utf8").trimEnd();
  return { output: stdout.replaceAll(scene.home, "/home/ada"), status: status ?? 128 };
}

const REFUSED = 64;

function playScript(block: Block, scene: Scene): readonly Failure[] {
  const guard = `set -E; trap 'status=$?; ((status < ${REFUSED})) || exit $status' ERR\n`;
  const { output, status } = runIn(scene, guard + block.text);
  return status < REFUSED ? [] : [{ block, reason: `status ${status}:\n${output}` }];
}

function playConsole(text: string, scene: Scene) {
  const reasons: string[] = [];
  const parts = text.split(/^(?=\$ )/m).map((part) => {
    const [, command, expected] = /^\$ ((?:.*\\\n)*.*\n)([\s\S]*)$/.exec(part) ?? [];
    if (command === undefined || expected === undefined) {
      reasons.push(`no command in ${JSON.stringify(part)}`);
      return part;
    }
    const { output } = runIn(scene, command);
    if (matches(output, expected)) return part;
    reasons.push(`$ ${command}--- expected\n${expected}--- printed\n${output}`);
    return `$ ${command}${output}`;
  });
  return { text: parts.join(""), reasons };
}

/** True if the output is the expected one, in which a line `…` stands for any lines. */
function matches(output: string, expected: string): boolean {
  const literal = (part: string) => part.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&");
  const pattern = expected.split(/^…\n/m).map(literal).join("(?:.*\\n)*?");
  return new RegExp(`^${pattern}$`).test(output);
}
