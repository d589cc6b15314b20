import assert from "node:assert/strict";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { openRevision } from "../../lib/io/git/git_files.ts";
import { FileError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { commitAll, git } from "../support/git_repo.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const PROJECT = ".caliban/permissions.toml";
const LOCAL = ".caliban/permissions.local.toml";

function ruleText(action: string, pattern: string): string {
  return `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`;
}

function write(folder: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  }
}

/** The folder and the variables of a command line. */
interface Scene {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

async function caliban({ cwd, env = {} }: Scene, words: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  const variables: Readonly<Record<string, string | undefined>> = {
    HOME: join(cwd, "no-home"),
    PATH: real.env("PATH"),
    ...env,
  };
  const runtime: Runtime = {
    ...real,
    env: (name) => variables[name],
    cwd: () => cwd,
    isTerminal: () => false,
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(words, runtime);
  return { status, ...printed, said: printed.stderr.replaceAll(/\s+/g, " ") };
}

test("a revision is compared with the working tree, and with another one", () =>
  withTempDir(async (cwd) => {
    write(cwd, { [PROJECT]: ruleText("deny", "Bash:rm *"), "src/a.ts": "" });
    const first = commitAll(cwd);
    write(cwd, { [PROJECT]: `# Renamed\n${ruleText("deny", "Bash:rm *")}` });
    commitAll(cwd);
    write(cwd, { [PROJECT]: ruleText("allow", "Bash:rm *") });
    const same = await caliban({ cwd }, ["diff", "git:HEAD~1", "git:HEAD"]);
    assert.equal(same.status, 0, same.stderr);
    assert.match(same.stdout, /decide every call the same way/);
    for (const old of ["git:HEAD", `git:${first}`, "git:main"]) {
      const { status, stdout } = await caliban({ cwd }, ["diff", old, ".", "--json"]);
      assert.equal(status, 1);
      const { groups: [group] } = JSON.parse(stdout);
      assert.deepEqual([group.was.action, group.now.action], ["deny", "allow"]);
      assert.equal(group.was.rule.source.path, `${old}:${PROJECT}`);
    }
    // From a folder below, "." is the workspace, and git finds it too.
    const below = await caliban({ cwd: join(cwd, "src") }, ["diff", "git:HEAD", "."]);
    assert.equal(below.status, 1);
  }));

test("a workspace below the repository's top, and paths of a revision", () =>
  withTempDir(async (top) => {
    const cwd = join(top, "packages/a");
    write(top, {
      [`packages/a/${PROJECT}`]: ruleText("deny", "Bash:rm *"),
      [PROJECT]: ruleText("ask", "Bash:rm *"),
      "p.toml": ruleText("allow", "Bash:ls"),
    });
    commitAll(top);
    const same = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(same.status, 0, same.stderr);
    const other = await caliban({ cwd }, ["diff", "git:HEAD:", "git:HEAD:packages/a", "--json"]);
    const { groups: [group] } = JSON.parse(other.stdout);
    assert.deepEqual([group.was.action, group.now.action], ["ask", "deny"]);
    assert.equal(group.now.rule.source.path, `git:HEAD:packages/a/${PROJECT}`);
    const file = await caliban({ cwd }, ["diff", "git:HEAD:p.toml", "../../p.toml"]);
    assert.equal(file.status, 0, file.stderr);
  }));

test("a revision without policy files is empty, and that is said", () =>
  withTempDir(async (cwd) => {
    write(cwd, { "a.txt": "" });
    commitAll(cwd);
    write(cwd, { [PROJECT]: ruleText("allow", "Bash:ls") });
    const { status, said } = await caliban({ cwd }, [
      "diff",
      "git:HEAD",
      ".",
      "--fail-on",
      "loosened",
    ]);
    assert.equal(status, 1);
    assert.match(said, /"git:HEAD" has no policy file in \.caliban\/ and counts as empty/);
  }));

test("what is wrong in a revision's file is told with its place", () =>
  withTempDir(async (cwd) => {
    write(cwd, { [PROJECT]: `${ruleText("allow", "Bash:ls")}colour = 1\n` });
    commitAll(cwd);
    const { status, said, stdout } = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(status, 65);
    assert.equal(stdout, "");
    assert.match(
      said,
      /git:HEAD:\.caliban\/permissions\.toml:4:1: error: Cannot read key "colour"/,
    );
  }));

test("a local file that git does not keep counts on both sides, one that it keeps does not", () =>
  withTempDir(async (cwd) => {
    write(cwd, { [PROJECT]: ruleText("deny", "Bash:rm *"), ".gitignore": `${LOCAL}\n` });
    commitAll(cwd);
    write(cwd, { [LOCAL]: ruleText("allow", "Bash:ls") });
    const own = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(own.status, 0, own.stderr);
    assert.match(own.said, /permissions\.local\.toml" is not in git and counts on both sides/);
    // One that somebody commits would else hide what it allows.
    git(cwd, ["add", "--force", LOCAL]);
    const staged = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(staged.status, 1);
    commitAll(cwd);
    const kept = await caliban({ cwd }, ["diff", "git:HEAD~1", ".", "--fail-on", "loosened"]);
    assert.equal(kept.status, 1);
    const both = await caliban({ cwd }, ["diff", "git:HEAD~1", "git:HEAD"]);
    assert.equal(both.status, 1);
  }));

test("a committed local file cannot hide behind a link or in a submodule", () =>
  withTempDir(async (top) => {
    const cwd = join(top, "work");
    write(cwd, { [PROJECT]: ruleText("deny", "Bash:rm *") });
    commitAll(cwd);
    rmSync(join(cwd, ".caliban"), { recursive: true });
    const files = {
      "permissions.toml": ruleText("deny", "Bash:rm *"),
      "permissions.local.toml": ruleText("allow", "Bash:rm *"),
    };
    write(join(cwd, "rules"), files);
    symlinkSync("rules", join(cwd, ".caliban"));
    commitAll(cwd);
    const link = await caliban({ cwd }, ["diff", "git:HEAD~1", ".", "--fail-on", "loosened"]);
    assert.equal(link.status, 1, link.said);
    rmSync(join(cwd, ".caliban"));
    write(join(cwd, ".caliban"), files);
    commitAll(join(cwd, ".caliban"));
    commitAll(cwd);
    const module = await caliban({ cwd }, ["diff", "git:HEAD~2", ".", "--fail-on", "loosened"]);
    assert.equal(module.status, 1, module.said);
  }));

test("what git has not got is told, and no option is made of it", () =>
  withTempDir(async (cwd) => {
    write(cwd, { [PROJECT]: ruleText("allow", "Bash:ls") });
    commitAll(cwd);
    const out = join(cwd, "written");
    for (const revision of ["nope", "-h", `--output=${out}`, "--exec-path=/tmp", "HEAD~9", "a b"]) {
      const { status, said } = await caliban({ cwd }, ["diff", `git:${revision}`, "."]);
      assert.equal(status, 66, `${revision}: ${said}`);
      assert.match(said, /the repository has no such revision/);
    }
    assert.ok(!existsSync(out));
    const path = await caliban({ cwd }, ["diff", "git:HEAD:nope", "."]);
    assert.equal(path.status, 66);
    for (const text of ["git:", "git::p.toml", "git:HEAD:../a"]) {
      assert.equal((await caliban({ cwd }, ["diff", text, "."])).status, 64, text);
    }
  }));

test("without a repository, and without git, the error says so", () =>
  withTempDir(async (cwd) => {
    write(cwd, { [PROJECT]: ruleText("allow", "Bash:ls") });
    const none = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(none.status, 65);
    assert.match(none.said, /is in no repository that git reads/);
    mkdirSync(join(cwd, "empty"));
    const env = { PATH: join(cwd, "empty") };
    const missing = await caliban({ cwd, env }, ["diff", "git:HEAD", "."]);
    assert.equal(missing.status, 65);
    assert.match(missing.said, /git is not installed, or not on the PATH/);
    const folders = await caliban({ cwd, env }, ["diff", ".", "."]);
    assert.equal(folders.status, 0, folders.stderr);
  }));

test("a link in a revision is refused, not taken for nothing or for its text", () =>
  withTempDir(async (cwd) => {
    write(cwd, { "real/permissions.toml": ruleText("deny", "Bash:rm *") });
    symlinkSync("real", join(cwd, ".caliban"));
    commitAll(cwd);
    const folder = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(folder.status, 65);
    assert.match(folder.said, /"\.caliban" is a link or a submodule there/);
    rmSync(join(cwd, ".caliban"));
    mkdirSync(join(cwd, ".caliban"));
    symlinkSync("../real/permissions.toml", join(cwd, PROJECT));
    commitAll(cwd);
    const file = await caliban({ cwd }, ["diff", "git:HEAD", "."]);
    assert.equal(file.status, 65);
    assert.match(file.said, /permissions\.toml" is a link/);
  }));

test("a path of a revision is a file, a folder or nothing, and any other kind is an error", () =>
  withTempDir(async (top) => {
    write(top, { "a/b/f": "text", "a/top": "", "[x]*": "literal" });
    symlinkSync("a", join(top, "link"));
    commitAll(top);
    const revision = await openRevision(real, { folder: join(top, "a/b"), revision: "HEAD" });
    assert.equal(revision.prefix, "a/b/");
    const table: readonly (readonly [path: string, kind: string | undefined, text?: string])[] = [
      ["", "folder"],
      ["a", "folder"],
      ["a/b", "folder"],
      ["a/b/f", "file", "text"],
      ["a/top", "file", ""],
      ["[x]*", "file", "literal"],
      ["a/b/f/x", undefined],
      ["a/top/x/y", undefined],
      ["a/*", undefined],
      ["none", undefined],
      ["a/none/x", undefined],
    ];
    for (const [path, kind, text] of table) {
      assert.equal(await revision.kind(path), kind, path);
      if (path !== "") assert.equal(await revision.text(path), text, path);
    }
    for (const path of ["link", "link/b"]) {
      await assert.rejects(() => revision.kind(path), (error) => {
        assert.ok(error instanceof FileError);
        assert.deepEqual([error.path, error.fault], ["git", "other"]);
        return true;
      });
    }
    for (const name of ["none", "HEAD\0", "-h", ""]) {
      await assert.rejects(
        () => openRevision(real, { folder: top, revision: name }),
        (error) => error instanceof FileError && error.fault === "not-found",
        name,
      );
    }
  }));

test("nothing that the repository or the environment configures is run", () =>
  withTempDir(async (cwd) => {
    const proof = join(cwd, "ran");
    const evil = join(cwd, "evil.sh");
    write(cwd, {
      [PROJECT]: ruleText("deny", "Bash:rm *"),
      [LOCAL]: ruleText("allow", "Bash:ls"),
      "evil.sh": `#!/bin/sh\necho "$0 $*" >> '${proof}'\n`,
      ".gitattributes": "* diff=evil filter=evil\n",
      ".gitignore": `${LOCAL}\n`,
    });
    chmodSync(evil, 0o755);
    git(cwd, ["init", "--quiet"]);
    git(cwd, ["add", PROJECT, ".gitattributes"]);
    git(cwd, ["commit", "--quiet", "--message", "a"]);
    const settings: readonly (readonly [string, string])[] = [
      ["core.fsmonitor", evil],
      ["core.pager", evil],
      ["core.editor", evil],
      ["core.sshCommand", evil],
      ["core.askPass", evil],
      ["core.hooksPath", cwd],
      ["diff.external", evil],
      ["diff.evil.textconv", evil],
      ["diff.evil.command", evil],
      ["filter.evil.smudge", evil],
      ["filter.evil.clean", evil],
      ["credential.helper", evil],
      ["alias.rev-parse", `!${evil}`],
      ["alias.cat-file", `!${evil}`],
      ["remote.origin.url", `ext::${evil} %S`],
      ["remote.origin.promisor", "true"],
      ["remote.origin.uploadpack", evil],
      ["extensions.partialClone", "origin"],
      ["protocol.ext.allow", "always"],
      ["protocol.allow", "always"],
    ];
    for (const [name, value] of settings) git(cwd, ["config", name, value]);
    const env = {
      GIT_DIR: "/nowhere",
      GIT_EXTERNAL_DIFF: evil,
      GIT_PAGER: evil,
      GIT_SSH_COMMAND: evil,
      GIT_EXEC_PATH: cwd,
      GIT_TRACE: join(cwd, "trace"),
      GIT_CONFIG_COUNT: "1",
      GIT_CONFIG_KEY_0: "core.fsmonitor",
      GIT_CONFIG_VALUE_0: evil,
    };
    const { status, said } = await caliban({ cwd, env }, ["diff", "git:HEAD", "."]);
    assert.equal(status, 0, said);
    // Of a partial clone the contents are missing: they are not fetched.
    const hash = git(cwd, ["rev-parse", `HEAD:${PROJECT}`]);
    const object = join(cwd, ".git/objects", hash.slice(0, 2), hash.slice(2));
    chmodSync(object, 0o644);
    rmSync(object);
    const partial = await caliban({ cwd, env }, ["diff", "git:HEAD", "."]);
    assert.equal(partial.status, 65, partial.said);
    assert.match(partial.said, /git (?:does not have its contents|cannot list its folder)/);
    assert.ok(!existsSync(proof), "a program of the repository ran");
    assert.ok(!existsSync(join(cwd, "trace")));
  }));

test("git is found on the PATH, but never in the clone, nor by a relative part", () =>
  withTempDir(async (folder) => {
    const clone = join(folder, "clone");
    const cwd = join(clone, "sub");
    write(cwd, { [PROJECT]: ruleText("deny", "Bash:rm *") });
    commitAll(clone);
    const fake = `#!/bin/sh\ntouch ${join(folder, "RAN")}\n`;
    write(folder, {
      "clone/git": fake,
      "clone/sub/git": fake,
      "clone/bin/git": fake,
      "dead/git": "no program",
    });
    for (const name of ["git", "sub/git", "bin/git"]) chmodSync(join(clone, name), 0o755);
    symlinkSync(join(clone, "bin"), join(folder, "linked"));
    mkdirSync(join(folder, "files"));
    symlinkSync(join(clone, "bin/git"), join(folder, "files/git"));
    const hostile = [
      ".",
      "",
      "bin",
      cwd,
      clone,
      join(clone, "bin"),
      `${clone}/sub/../bin`,
      `${folder}/dead/../clone/bin/`,
      join(folder, "linked"),
      join(folder, "files"),
      join(folder, "dead"),
      join(folder, "missing"),
    ];
    for (const part of hostile) {
      const none = await caliban({ cwd, env: { PATH: part } }, ["diff", "git:HEAD", "."]);
      assert.equal(none.status, 65, part);
      assert.match(none.said, /git is not installed, or not on the PATH outside of the repository/);
      const PATH = `${part}:${real.env("PATH")}`;
      const found = await caliban({ cwd, env: { PATH } }, ["diff", "git:HEAD", "."]);
      assert.equal(found.status, 0, found.said);
    }
    assert.equal(existsSync(join(folder, "RAN")), false);
  }));
