import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { gitState } from "../../lib/io/git/git_state.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { commitAll, git } from "../support/git_repo.ts";
import { withTempDir } from "../support/temp_dir.ts";

const runtime = await chooseRuntime();

/** The repository of a folder in a workspace. */
function stateIn(workspace: string, folder = workspace) {
  const home = join(workspace, "../home");
  return gitState(runtime, {
    folder,
    location: { workspace, workspaceReal: workspace, home },
  });
}

/** Uses a workspace with a commit of src/a.ts. */
function withWorkspace(use: (workspace: string) => void): Promise<void> {
  return withTempDir((top) => {
    const workspace = join(top, "ws");
    mkdirSync(join(workspace, "src"), { recursive: true });
    mkdirSync(join(top, "home"));
    writeFileSync(join(workspace, "src/a.ts"), "a\n");
    commitAll(workspace);
    use(workspace);
    return Promise.resolve();
  });
}

/** Changes of a workspace, and a part of the reason that its repository is then foreign; undefined where it is not. */
const CHANGES: readonly (readonly [string, readonly string[], string | undefined])[] = [
  ["nothing", [], undefined],
  ["a remote", ["git remote add origin https://example.com/x"], undefined],
  ["hooks of the work tree", ["git config core.hooksPath .husky"], undefined],
  ["a name and a branch", ["git config user.name a", "git config branch.x.merge y"], undefined],
  ["a submodule's settings", ["git config submodule.x.url https://example.com/x"], undefined],
  ["core.fsmonitor", ["git config core.fsmonitor ./x"], "core.fsmonitor"],
  ["a daemon", ["git config core.fsmonitor true"], "core.fsmonitor"],
  ["hooks elsewhere", ["git config core.hooksPath /tmp/x"], "core.hookspath"],
  ["hooks above", ["git config core.hooksPath ../x"], "core.hookspath"],
  ["hooks in parts of git", ["git config core.hooksPath .git/x"], "core.hookspath"],
  ["a pager", ["git config core.pager ./x"], "core.pager"],
  ["a pager of log", ["git config pager.log ./x"], "pager.log"],
  ["diff.external", ["git config diff.external ./x"], "diff.external"],
  ["textconv", ["git config diff.x.textconv ./x"], "diff.x.textconv"],
  ["a filter", ["git config filter.x.clean ./x"], "filter.x.clean"],
  ["a merge driver", ["git config merge.x.driver ./x"], "merge.x.driver"],
  ["an alias", ["git config alias.lfs '!x'"], "alias.lfs"],
  ["an include", ["git config include.path ../x"], "include.path"],
  ["ssh", ["git config core.sshCommand ./x"], "core.sshcommand"],
  ["a partial clone", ["git config extensions.partialClone origin"], "extensions.partialclone"],
  ["a promisor", ["git config remote.origin.promisor true"], "remote.origin.promisor"],
  ["a helper", ["git config remote.origin.url ext::x"], "remote.origin.url"],
  ["a folder", ["git config remote.origin.url ../x"], "remote.origin.url"],
  ["a quoted folder", [`printf '[remote "o"]\\nurl = "../x"\\n' >> .git/config`], "remote.o.url"],
  ["a branch of a folder", ["git config branch.x.remote ../x"], "branch.x.remote"],
  ["gpg", ["git config gpg.program ./x"], "gpg.program"],
  ["a hook of gc", ["git config gc.recentObjectsHook ./x"], "gc.recentobjectshook"],
  ["another work tree", ["git config core.worktree /"], "core.worktree"],
  ["a key beside its section", ["echo '[core] pager = x' >> .git/config"], "not plain"],
  ["a configuration that is cut", ["printf '\\377' > .git/config"], "cannot be read"],
  ["an index of version 4", ["git update-index --index-version 4"], undefined],
  ["a split index", ["git update-index --split-index"], "index"],
  ["a damaged index", ["printf DIRC > .git/index"], "index"],
  ["no index", ["rm .git/index"], undefined],
  [
    "another repository among its files",
    ["git init -q n", "git -C n commit -q --allow-empty -m x", "git add n"],
    undefined,
  ],
  [
    "a repository that names a program among its files",
    [
      "git init -q n",
      "git -C n commit -q --allow-empty -m x",
      "git add n",
      "git -C n config core.fsmonitor x",
    ],
    "n is a repository of its own",
  ],
  ["a bare repository", ["rm -rf .git", "git init -q --bare ."], "bare"],
];

function run(workspace: string, lines: readonly string[]): void {
  const env = {
    PATH: process.env["PATH"] ?? "",
    HOME: workspace,
    GIT_CONFIG_NOSYSTEM: "1",
    ...Object.fromEntries(
      ["GIT_AUTHOR_NAME", "GIT_COMMITTER_NAME"].map((name) => [name, "A"]),
    ),
    ...Object.fromEntries(
      ["GIT_AUTHOR_EMAIL", "GIT_COMMITTER_EMAIL"].map((name) => [name, "a@example.com"]),
    ),
  };
  for (const line of lines) {
    const ran = spawnSync("sh", ["-c", line], { cwd: workspace, env, encoding: "utf8" });
    assert.equal(ran.status, 0, `${line}: ${ran.stderr}`);
  }
}

for (const [name, lines, why] of CHANGES) {
  test(`the workspace's repository with ${name} is ${why ? "not one's own" : "one's own"}`, () =>
    withWorkspace((workspace) => {
      run(workspace, lines);
      const state = stateIn(workspace, join(workspace, "src"));
      if (why === undefined) assert.equal(state?.why, undefined);
      else assert.ok(state?.why?.includes(why), `${state?.why}`);
    }));
}

test("a repository below or outside of the workspace is not one's own, unless it is named", () =>
  withWorkspace((workspace) => {
    const other = join(workspace, "vendor/x");
    mkdirSync(other, { recursive: true });
    writeFileSync(join(other, "b"), "b");
    commitAll(other);
    assert.match(stateIn(workspace, other)?.why ?? "", /another repository/);
    assert.match(stateIn(join(workspace, "src"), other)?.why ?? "", /another repository/);
    const location = { workspace, workspaceReal: workspace };
    const at = (...repositories: readonly string[]) =>
      gitState(runtime, { folder: other, location, repositories });
    assert.equal(at(other)?.why, undefined);
    assert.equal(at(join(workspace, "vendor/*"))?.why, undefined);
    assert.equal(at("/nowhere", join(workspace, "v*r/x"))?.why, undefined);
    assert.ok(
      at(join(workspace, "*"), join(workspace, "vendor"), join(workspace, "vendor/*/*"))?.why,
    );
    const homes = { home: workspace, homeReal: workspace };
    const below = gitState(runtime, {
      folder: other,
      location: { ...location, ...homes },
      repositories: ["~/vendor/x"],
    });
    assert.equal(below?.why, undefined);
    git(other, ["config", "core.pager", "x"]);
    const changed = at(other);
    assert.match(changed?.why ?? "", /core\.pager/);
  }));

test("hooks, names and files are those of the repository", () =>
  withWorkspace((workspace) => {
    git(workspace, ["branch", "feature/x"]);
    git(workspace, ["tag", "v1"]);
    git(workspace, ["pack-refs", "--all"]);
    git(workspace, ["branch", "new"]);
    git(workspace, ["update-ref", "refs/remotes/origin/y", "HEAD"]);
    git(workspace, ["remote", "add", "origin", "https://a:b@example.com/x"]);
    writeFileSync(join(workspace, ".git/hooks/pre-commit"), "");
    writeFileSync(join(workspace, ".git/FETCH_HEAD"), "");
    const state = stateIn(workspace)!;
    assert.deepEqual(state.hooks, ["pre-commit"]);
    assert.deepEqual(state.files(), ["src/a.ts"]);
    assert.equal(state.mayHoldSecrets, true);
    const names = ["main", "feature/x", "v1", "new"];
    assert.deepEqual(names.filter((name) => !state.hasName(name)), []);
    const others = ["origin/y", "y", "FETCH_HEAD", "HEAD", "src/a.ts", "", "..", "x.lock", "hooks"];
    assert.deepEqual(others.filter((name) => state.hasName(name)), []);
    writeFileSync(join(workspace, "../home/.gitconfig"), "[core]\n\thooksPath = .githooks\n");
    assert.equal(stateIn(workspace)?.hooks, "any");
    rmSync(join(workspace, ".git"), { recursive: true });
    assert.equal(stateIn(workspace), undefined);
  }));

/** Settings of a remote, and whether a fetch by them may move or remove branches and tags. */
const FETCHES: readonly (readonly [string, string, boolean])[] = [
  ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*", false],
  ["remote.origin.fetch", "refs/heads/main", false],
  ["remote.origin.fetch", "^refs/heads/x", false],
  ["remote.origin.prune", "false", false],
  ["remote.origin.tagOpt", "--no-tags", false],
  ["remote.origin.fetch", "+refs/heads/*:refs/heads/*", true],
  ["remote.origin.fetch", "+refs/*:refs/*", true],
  ["remote.a.b.fetch", "refs/heads/x:refs/tags/x", true],
  ["remote.origin.fetch", "main:main", true],
  ["fetch.prune", "true", true],
  ["fetch.pruneTags", "1", true],
  ["remote.origin.prune", "yes", true],
  ["remote.origin.pruneTags", "true", true],
];

test("a fetch that prunes, or writes other refs than those of a remote, is known by the settings", () => {
  for (const [key, value, forces] of FETCHES) {
    withWorkspace((workspace) => {
      git(workspace, ["config", key, value]);
      const state = stateIn(workspace);
      if (forces) assert.ok(state?.forcesFetch || state?.why !== undefined, `${key} ${value}`);
      else assert.equal(state?.forcesFetch, false, `${key} ${value}`);
    });
  }
});

for (const version of ["2", "3", "4"]) {
  test(`the files of an index of version ${version} are those that git lists`, () =>
    withWorkspace((workspace) => {
      for (let at = 0; at < 40; at++) {
        writeFileSync(join(workspace, `src/${"a".repeat(at)}é${at}.ts`), "a");
      }
      git(workspace, ["add", "."]);
      if (version === "3") {
        writeFileSync(join(workspace, "later"), "a");
        git(workspace, ["add", "--intent-to-add", "later"]);
      }
      git(workspace, ["update-index", "--index-version", version]);
      const listed = git(workspace, ["-c", "core.quotePath=false", "ls-files"]).split("\n");
      assert.deepEqual(stateIn(workspace)?.files()?.toSorted(), listed.toSorted());
    }));
}
