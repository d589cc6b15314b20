import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import {
  commitOf,
  ownCommit,
  ownProgram,
  runtimeVersion,
} from "../../lib/io/runtime/own_program.ts";
import { versionLine } from "../../lib/cli/version.ts";
import { REPO } from "../support/spec_run.ts";

const COMMIT = "0123456789abcdef0123456789abcdef01234567";
const OTHER = COMMIT.replace("0", "f");

/** The commit of a repository in `/r` with these files. */
function commitIn(files: Readonly<Record<string, string>>): string | undefined {
  return commitOf({
    platform: "linux",
    stat: (path) => path in files ? "file" : undefined,
    readText: (path) => files[path] ?? "",
  }, "/r");
}

const REPOSITORIES: readonly (readonly [string, Record<string, string>, string | undefined])[] = [
  ["no repository", {}, undefined],
  ["a commit that is checked out", { "/r/.git/HEAD": `${COMMIT}\n` }, COMMIT],
  ["a branch", {
    "/r/.git/HEAD": "ref: refs/heads/a/b\n",
    "/r/.git/refs/heads/a/b": `${COMMIT}\n`,
    "/r/.git/packed-refs": `${OTHER} refs/heads/a/b\n`,
  }, COMMIT],
  ["a packed branch", {
    "/r/.git/HEAD": "ref: refs/heads/b\n",
    "/r/.git/packed-refs": `# pack\n${OTHER} refs/heads/a/b\n${COMMIT} refs/heads/b\n^${OTHER}\n`,
  }, COMMIT],
  ["a worktree", {
    "/r/.git": "gitdir: /main/.git/worktrees/r\n",
    "/main/.git/worktrees/r/HEAD": "ref: refs/heads/r\n",
    "/main/.git/worktrees/r/commondir": "../..\n",
    "/main/.git/worktrees/r/../../refs/heads/r": `${COMMIT}\n`,
  }, COMMIT],
  ["a branch without a commit", { "/r/.git/HEAD": "ref: refs/heads/main\n" }, undefined],
  ["a ref that leads out", {
    "/r/.git/HEAD": "ref: refs/../../x\n",
    "/r/.git/refs/../../x": COMMIT,
  }, undefined],
  ["a ref of itself", {
    "/r/.git/HEAD": "ref: refs/heads/a\n",
    "/r/.git/refs/heads/a": "ref: refs/heads/a\n",
  }, undefined],
  ["no commit", { "/r/.git/HEAD": "\u001b[31m" }, undefined],
];

for (const [name, files, expected] of REPOSITORIES) {
  test(`the commit of ${name}`, () => {
    assert.equal(commitIn(files), expected);
  });
}

test("the version line names version, commit, runtime and file", async () => {
  const runtime = await chooseRuntime();
  assert.deepEqual(ownProgram(runtime), {
    form: "source",
    file: join(REPO, "cli.ts"),
    folder: REPO,
  });
  const { version } = JSON.parse(readFileSync(join(REPO, "package.json"), "utf8"));
  const git = existsSync(join(REPO, ".git"))
    ? execFileSync("git", ["rev-parse", "HEAD"], { cwd: REPO, encoding: "utf8" }).trim()
    : undefined;
  assert.equal(ownCommit(runtime), git);
  const commit = git === undefined ? "" : `commit ${git.slice(0, 12)}, `;
  const line = `caliban ${version} (${commit}${runtimeVersion(runtime)}, ${REPO}/cli.ts)\n`;
  assert.equal(versionLine(runtime), line);
  assert.match(runtimeVersion(runtime), /^(?:deno|bun) \d+\.\d+\.\d+/);
});
