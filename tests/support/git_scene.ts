import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { environment, HERE, starter } from "./process.ts";

/** Why there is no such program on the PATH; false when it starts. */
export function lacks(program: string): string | false {
  return spawnSync(program, ["--version"], { env: environment() }).error === undefined
    ? false
    : `needs ${program} on the PATH`;
}

/** Runs git where it must succeed, without anybody's configuration; answers what it printed, trimmed. */
export function git(cwd: string, ...args: readonly string[]): string {
  const env = environment({
    HOME: cwd,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_AUTHOR_NAME: "a",
    GIT_AUTHOR_EMAIL: "a@example.org",
    GIT_COMMITTER_NAME: "a",
    GIT_COMMITTER_EMAIL: "a@example.org",
  });
  const { status, stdout, stderr } = spawnSync("git", [...args], { cwd, env, encoding: "utf8" });
  if (status !== 0) throw new Error(`git ${args.join(" ")}: ${stderr}`);
  return stdout.trim();
}

/** Writes files (by path below the folder) and their folders. */
export function writeFiles(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    const path = join(folder, name);
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, text);
  }
}

/** Commits everything in a folder, which becomes a repository if it is none; answers the commit. */
export function commitAll(folder: string): string {
  git(folder, "init", "--quiet", "--initial-branch=main");
  git(folder, "add", "--all");
  git(folder, "commit", "--quiet", "--no-verify", "--allow-empty", "--message=x");
  return git(folder, "rev-parse", "HEAD");
}

/** Makes a folder with a program `caliban` that runs this repository's own; answers a PATH that has it. */
export function withCaliban(folder: string): string {
  const words = starter(HERE, ["read", "env", "run=git"]).map((word) => `'${word}'`).join(" ");
  const path = join(folder, "caliban");
  mkdirSync(folder, { recursive: true });
  writeFileSync(path, `#!/bin/sh\nexec ${words} "$@"\n`);
  chmodSync(path, 0o755);
  return `${folder}:${environment()["PATH"]}`;
}
