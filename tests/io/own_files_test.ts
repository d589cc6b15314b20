import assert from "node:assert/strict";
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { findTestFiles, testFilesBelow } from "../../lib/io/load/find_test_files.ts";
import { readHooks } from "../../lib/io/load/hook_files.ts";
import { openPolicy } from "../../lib/io/load/load_policy.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { FileError, LoadError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { removeIfEmpty, removeTokens, seenLock } from "../../lib/io/write/lock_tokens.ts";
import {
  isPlainFile,
  removeFile,
  withProbeFolder,
  writeBackup,
} from "../../lib/io/write/own_files.ts";
import { replaceFile } from "../../lib/io/write/replace_file.ts";
import { treeOf } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();

/** Asserts that a call throws a FileError with these words, and that nothing below a folder changes. */
function assertRefused(folder: string, call: () => unknown, words: RegExp): void {
  const before = treeOf(folder);
  assert.throws(call, (error) => error instanceof FileError && words.test(error.message));
  assert.deepEqual(treeOf(folder), before);
}

test("a backup is made beside nothing, or with a number, and replaces nothing", () =>
  withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("from"), "text");
    chmodSync(at("from"), 0o640);
    writeBackup(at("from"), { to: at("new"), earlier: "refuse" });
    assert.equal(readFileSync(at("new"), "utf8"), "text");
    assert.equal(statSync(at("new")).mode & 0o7777, 0o640);
    const made = statSync(at("new")).ino;
    assert.equal(writeBackup(at("from"), { to: at("new"), earlier: "refuse" }), at("new"));
    assert.equal(statSync(at("new")).ino, made);
    assert.equal(writeBackup(at("from"), { to: at("new"), earlier: "number" }), at("new-2"));
    assert.equal(statSync(at("new-2")).mode & 0o7777, 0o640);
    writeFileSync(at("from"), "other");
    const again = () => writeBackup(at("from"), { to: at("new"), earlier: "refuse" });
    assertRefused(folder, again, /a file with another text is in the way/);
    assert.equal(writeBackup(at("from"), { to: at("new"), earlier: "number" }), at("new-3"));
    assert.equal(readFileSync(at("new-3"), "utf8"), "other");
    assert.equal(readFileSync(at("new"), "utf8"), "text");
  }));

test("a backup takes no other place than a file's", () =>
  withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    writeFileSync(at("from"), "text");
    symlinkSync("from", at("link"));
    symlinkSync("gone", at("dead"));
    mkdirSync(at("dir"));
    const cases = [
      ["link", /: a link is in the way/],
      ["dead", /: a link is in the way/],
      ["dir", /: something that is not a file is in the way/],
      ["from/below", /^Cannot write /],
    ] as const;
    for (const [name, words] of cases) {
      for (const earlier of ["refuse", "number"] as const) {
        const call = () => writeBackup(at("from"), { to: at(name), earlier });
        assertRefused(folder, call, words);
      }
    }
    const call = () => writeBackup(at("none"), { to: at("new"), earlier: "number" });
    assertRefused(folder, call, /no such file/);
  }));

test("a file is removed, and nothing else", () =>
  withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    for (const name of ["file", "other"]) writeFileSync(at(name), "");
    mkdirSync(at("dir"));
    symlinkSync("other", at("link"));
    const plain = ["file", "dir", "link", "none", "other/below"].map((name) =>
      isPlainFile(at(name))
    );
    assert.deepEqual(plain, [true, false, false, false, false]);
    for (const name of ["file", "dir", "link", "none", "other/below"]) removeFile(at(name));
    assert.deepEqual(readdirSync(folder).toSorted(), ["dir", "link", "other"]);
    const long = at("x".repeat(300));
    assertRefused(folder, () => isPlainFile(long), /^Cannot read /);
    assertRefused(folder, () => removeFile(long), /^Cannot write /);
  }));

test("the folders of a trial are removed, whatever happened; what stands in their place is not", () =>
  withTempDir(async (folder) => {
    let top = "";
    const failure = new RangeError("no");
    const failing = withProbeFolder("text", ({ folder, elsewhere }) => {
      top = dirname(folder);
      assert.equal(readFileSync(join(folder, ".caliban/permissions.toml"), "utf8"), "text");
      assert.deepEqual(readdirSync(elsewhere), []);
      assert.equal(statSync(top).mode & 0o777, 0o700);
      return Promise.reject(failure);
    });
    await assert.rejects(failing, (error) => error === failure);
    assert.equal(existsSync(top), false);
    writeFileSync(join(folder, "own"), "");
    await withProbeFolder("", ({ elsewhere }) => {
      top = dirname(elsewhere);
      rmSync(top, { recursive: true });
      symlinkSync(folder, top);
      return Promise.resolve();
    });
    assert.ok(lstatSync(top).isSymbolicLink());
    assert.deepEqual(readdirSync(folder), ["own"]);
    rmSync(top);
    await withProbeFolder("", () => Promise.resolve(rmSync(top, { force: true })));
  }));

test("a file is replaced in a folder that can be written but not read", () =>
  withTempDir((folder) => {
    const path = join(folder, "f");
    writeFileSync(path, "old");
    chmodSync(path, 0o666);
    chmodSync(folder, 0o333);
    const root = process.geteuid?.() === 0;
    if (root) process.seteuid?.(65534);
    try {
      assert.equal(replaceFile(path, { text: "new", isHeld: () => true }), true);
    } finally {
      if (root) process.seteuid?.(0);
      chmodSync(folder, 0o700);
    }
    assert.equal(readFileSync(path, "utf8"), "new");
  }));

test("of a lock only empty tokens in the folder that was seen are removed", () =>
  withTempDir((folder) => {
    const at = (name: string) => join(folder, name);
    const [one, other] = [crypto.randomUUID(), `${crypto.randomUUID()}.caliban-token`];
    assert.equal(seenLock(at("lock")), undefined);
    assert.equal(removeIfEmpty(at("lock")), true);
    mkdirSync(at("lock"));
    for (const name of [one, other]) writeFileSync(join(at("lock"), name), "");
    const seen = seenLock(at("lock"))!;
    assert.deepEqual(seen.tokens.toSorted(), [one, other].toSorted());
    assert.equal(removeIfEmpty(at("lock")), false);
    writeFileSync(join(at("lock"), one), "text");
    assert.throws(() => seenLock(at("lock")), { name: "ForeignLockError" });
    removeTokens(at("lock"), { ...seen, tokens: [...seen.tokens, "none"] });
    assert.deepEqual(readdirSync(at("lock")), [one]);
    mkdirSync(at("other"));
    writeFileSync(join(at("other"), other), "");
    removeTokens(at("other"), seen);
    assert.deepEqual(readdirSync(at("other")), [other]);
    rmSync(join(at("lock"), one));
    assert.equal(removeIfEmpty(at("lock")), true);
    for (const [name, kind] of [["file", "file"], ["link", "symbolic link"]] as const) {
      if (kind === "file") writeFileSync(at(name), "");
      else symlinkSync("other", at(name));
      const words = new RegExp(`is a ${kind}, not a lock`);
      assert.throws(() => seenLock(at(name)), (error) => words.test((error as Error).message));
      removeIfEmpty(at(name));
      assert.ok(lstatSync(at(name)));
    }
  }));

test("tests of a workspace are found beside its policies and below them, not in folders of others", () =>
  withTempDir((folder) => {
    const files = [
      "a.perms.toml",
      ".caliban/b.perms.toml",
      ".caliban/deep/er/c.perms.toml",
      ".caliban/node_modules/x.perms.toml",
      ".caliban/.git/x.perms.toml",
      ".caliban/folder.perms.toml/d.txt",
      ".caliban/perms.toml",
      "sub/e.perms.toml",
    ];
    for (const file of files) {
      mkdirSync(dirname(join(folder, file)), { recursive: true });
      writeFileSync(join(folder, file), "");
    }
    symlinkSync("../a.perms.toml", join(folder, ".caliban/link.perms.toml"));
    symlinkSync("../sub", join(folder, ".caliban/sub"));
    const own = [
      ".caliban/b.perms.toml",
      ".caliban/deep/er/c.perms.toml",
      ".caliban/link.perms.toml",
    ].map((name) => join(folder, name));
    assert.deepEqual(findTestFiles(folder), [...own, join(folder, "a.perms.toml")].toSorted());
    assert.deepEqual(testFilesBelow(join(folder, ".caliban")), own.toSorted());
    assert.deepEqual(findTestFiles(join(folder, "sub")), [join(folder, "sub/e.perms.toml")]);
    assert.throws(() => findTestFiles(join(folder, "none")), FileError);
    assert.throws(() => testFilesBelow(join(folder, "a.perms.toml")), FileError);
  }));

interface Scene {
  readonly folder: string;
  readonly runtime: Runtime;
  write(path: string, text: string): void;
}

function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  return withTempDir(async (folder) => {
    mkdirSync(join(folder, "ws/.git"), { recursive: true });
    mkdirSync(join(folder, "home"));
    const env = (name: string) => name === "HOME" ? join(folder, "home") : undefined;
    const runtime = { ...real, env, cwd: () => join(folder, "ws") };
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
    };
    await use({ folder, runtime, write });
  });
}

test("rules of a session and of a command have their number as their line", () =>
  inScene(async ({ runtime }) => {
    const rules = (names: readonly string[]) =>
      names.map((name) => ({ pattern: `Bash:${name} *`, action: "ask" } as const));
    const { sources } = await openPolicy(runtime, {
      session: rules(["a", "b"]),
      command: rules(["c", "d"]),
    });
    const own = sources.rules.filter(({ source }) => /session|command/.test(source.kind));
    assert.deepEqual(
      own.map(({ pattern, source: { kind, path, line, column } }) =>
        `${pattern.value} ${kind} ${path} ${line}:${column}`
      ).toSorted(),
      [
        "Bash:a * session session 1:1",
        "Bash:b * session session 2:1",
        "Bash:c * command command 1:1",
        "Bash:d * command command 2:1",
      ],
    );
  }));

test("hooks of a source that is left out are left out, and a file that cannot be read is an error", () =>
  inScene(async ({ folder, runtime, write }) => {
    const hooks = JSON.stringify({
      hooks: { PreToolUse: [{ matcher: "*", hooks: [{ type: "command", command: "true" }] }] },
    });
    const paths = { project: "ws/.caliban/hooks.json", user: "home/.config/caliban/hooks.json" };
    for (const path of Object.values(paths)) write(path, hooks);
    const read = async (off: readonly ("user" | "project")[]) => {
      const found = await readHooks(runtime, await openPolicy(runtime, { off, trust: "given" }));
      return [found.hooks.length, found.untrusted.length, found.problems.length];
    };
    assert.deepEqual(await read([]), [2, 0, 0]);
    assert.deepEqual(await read(["user"]), [1, 0, 0]);
    assert.deepEqual(await read(["project"]), [1, 0, 0]);
    assert.deepEqual(await read(["user", "project"]), [0, 0, 0]);
    for (const [off, path] of Object.entries(paths)) {
      rmSync(join(folder, path));
      mkdirSync(join(folder, path));
      await assert.rejects(() => read([off === "user" ? "project" : "user"]), (error) => {
        assert.ok(error instanceof LoadError);
        assert.deepEqual(error.errors.map((each) => each.path), [join(folder, path)]);
        return true;
      });
    }
  }));
