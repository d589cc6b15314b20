// Needs --allow-read, --allow-write, --allow-env.
import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const POLICY = ".caliban/permissions.toml";

/** A workspace, a home, and a person who runs caliban there. */
interface Scene {
  readonly folder: string;
  /** Writes a file of the workspace. */
  write(path: string, text: string): void;
  /** Sets a variable of the environment. */
  set(name: string, value: string | undefined): void;
  /** The exit status of a command line. */
  caliban(...argv: readonly string[]): Promise<number>;
}

function inScene(use: (scene: Scene) => Promise<void>): Promise<void> {
  return withTempDir(async (folder) => {
    const own = new Map<string, string | undefined>([["HOME", join(folder, "home")]]);
    mkdirSync(join(folder, "home"));
    mkdirSync(join(folder, "ws/.git"), { recursive: true });
    const runtime: Runtime = {
      ...real,
      env: (name) => own.get(name),
      cwd: () => join(folder, "ws"),
      isTerminal: () => false,
      write: () => Promise.resolve(true),
    };
    await use({
      folder,
      write(path, text) {
        mkdirSync(dirname(join(folder, "ws", path)), { recursive: true });
        writeFileSync(join(folder, "ws", path), text);
      },
      set: (name, value) => void own.set(name, value),
      caliban: (...argv) => run(argv, runtime),
    });
  });
}

function rule(pattern: string, action = "allow"): string {
  return `[[permissions.rules]]\npattern = "${pattern}"\naction = "${action}"\n`;
}

test("the record and the texts that it names are their owner's alone", {
  skip: real.platform === "windows",
}, () =>
  inScene(async ({ folder, write, caliban }) => {
    write(POLICY, rule("Bash:ls"));
    assert.equal(await caliban("trust", "--yes"), 0);
    const state = join(folder, "home/.local/state/caliban");
    const [text = ""] = readdirSync(join(state, "trusted"));
    assert.equal(readFileSync(join(state, "trusted", text), "utf8"), rule("Bash:ls"));
    for (const name of ["trust.json", `trusted/${text}`]) {
      assert.equal(statSync(join(state, name)).mode & 0o777, 0o600);
    }
  }));

test("texts that no record names go in time, and nothing else in their folder does", () =>
  inScene(async ({ folder, write, caliban }) => {
    const trusted = join(folder, "home/.local/state/caliban/trusted");
    write(POLICY, rule("Bash:ls"));
    assert.equal(await caliban("trust", "--yes"), 0);
    const [old = ""] = readdirSync(trusted);
    writeFileSync(join(trusted, "mine.txt"), "");
    for (const name of [old, "mine.txt"]) utimesSync(join(trusted, name), 1, 1);
    write(POLICY, rule("Bash:cat"));
    assert.equal(await caliban("trust", "--yes"), 0);
    assert.ok(!existsSync(join(trusted, old)) && existsSync(join(trusted, "mine.txt")));
    const [own = ""] = readdirSync(trusted).filter((name) => name !== "mine.txt");
    rmSync(trusted, { recursive: true });
    const other = join(folder, "other");
    mkdirSync(other);
    writeFileSync(join(other, old), "");
    utimesSync(join(other, old), 1, 1);
    symlinkSync(other, trusted);
    await caliban("trust", "--remove");
    assert.ok(existsSync(join(other, old)), own);
  }));

test("a text that was changed behind the record proves nothing", () =>
  inScene(async ({ folder, write, caliban }) => {
    write(POLICY, rule("Bash:ls", "deny") + rule("Bash"));
    assert.equal(await caliban("trust", "--yes"), 0);
    const trusted = join(folder, "home/.local/state/caliban/trusted");
    const [text = ""] = readdirSync(trusted);
    write(POLICY, rule("Bash"));
    writeFileSync(join(trusted, text), rule("Bash"));
    assert.equal(await caliban("trust", "--if-not-looser"), 1);
    assert.equal(await caliban("check", "Bash", "ls"), 2);
  }));

test("of several that add at once all keep the trust", () =>
  inScene(async ({ write, caliban }) => {
    write(POLICY, rule("Bash:ls"));
    assert.equal(await caliban("trust", "--yes"), 0);
    const names = ["a", "b", "c", "d", "e", "f"];
    const added = await Promise.all(names.map((name) => caliban("add", `Bash:${name}`, "allow")));
    assert.deepEqual(added, names.map(() => 0));
    assert.equal(await caliban("check", "Bash", names.join("; ")), 0);
  }));

test("a record that stands in the workspace, as a variable may say, gives no trust", () =>
  inScene(async ({ folder, write, caliban, set }) => {
    write(POLICY, rule("Bash:ls"));
    set("XDG_STATE_HOME", join(folder, "ws/state"));
    assert.equal(await caliban("trust", "--yes"), 64);
    const files = { [POLICY]: await real.sha256(rule("Bash:ls")) };
    const workspaces = { [join(folder, "ws")]: { files, at: "2026-01-01T00:00:00Z" } };
    const record = JSON.stringify({ version: 1, workspaces });
    write("state/caliban/trust.json", record);
    assert.equal(await caliban("check", "Bash", "ls"), 2);
    // The same record elsewhere would count.
    mkdirSync(join(folder, "home/.local/state/caliban"), { recursive: true });
    writeFileSync(join(folder, "home/.local/state/caliban/trust.json"), record);
    set("XDG_STATE_HOME", undefined);
    assert.equal(await caliban("check", "Bash", "ls"), 0);
  }));

test("links, copies and other worktrees are other workspaces", () =>
  inScene(async ({ folder, write, caliban }) => {
    write(POLICY, rule("Bash:ls"));
    assert.equal(await caliban("trust", "--yes"), 0);
    mkdirSync(join(folder, "copy/.caliban"), { recursive: true });
    writeFileSync(join(folder, "copy", POLICY), rule("Bash:ls"));
    mkdirSync(join(folder, "linked"));
    symlinkSync(join(folder, "ws/.caliban"), join(folder, "linked/.caliban"));
    mkdirSync(join(folder, "tree/.caliban"), { recursive: true });
    writeFileSync(join(folder, "tree/.git"), `gitdir: ${join(folder, "ws/.git")}\n`);
    symlinkSync(join(folder, "ws", POLICY), join(folder, "tree", POLICY));
    for (const name of ["copy", "linked", "tree"]) {
      assert.equal(
        await caliban("check", "Bash", "ls", "--workspace", join(folder, name)),
        2,
        name,
      );
    }
    // The same folder by another path is the same workspace.
    symlinkSync(join(folder, "ws"), join(folder, "alias"));
    assert.equal(await caliban("check", "Bash", "ls", "--workspace", join(folder, "alias")), 0);
  }));
