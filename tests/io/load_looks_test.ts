import assert from "node:assert/strict";
import { chmodSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { openForEvent } from "../../lib/cli/hook/policies.ts";
import { isAbsent, kindAt, loadLooks } from "../../lib/io/load/load_looks.ts";
import { openPolicy } from "../../lib/io/load/load_policy.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { nodeRuntime } from "../../lib/io/runtime/node_runtime.ts";
import { isDangling } from "../../lib/io/runtime/real_path.ts";
import { FileError, LoadError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { makeLinks } from "../support/link_tree.ts";
import { machine } from "../support/machine.ts";
import fc from "../support/seeded.ts";
import { withTempDir } from "../support/temp_dir.ts";

const RUNTIMES = [await chooseRuntime(), await nodeRuntime()];

/** The value of a look, or the sentence of its error. */
function outcome(look: () => unknown): unknown {
  try {
    return { value: look() };
  } catch (error) {
    if (error instanceof FileError) return { fault: error.fault, message: error.message };
    throw error;
  }
}

/** `kindAt` in the plain way: each question is a look of its own. */
function plainKindAt(runtime: Runtime, path: string): string | undefined {
  return runtime.stat(path) ?? (isDangling(runtime, path) ? "dead" : undefined);
}

const PLACES = ["f", "no/f", "dead", "dead/f", "dead/no/f", "loop", "loop/f", "in/f", "in/no/f"];
const NAMES = ["a", "b", "c", "d", "f", "l", "..", ".", "", "new", "loop", "dead", "in", "n\0"];

/** Makes links to what is there, to nothing and to themselves. */
function makeTree(at: (name: string) => string): void {
  makeLinks(at);
  symlinkSync("loop", at("loop"));
  symlinkSync("gone", at("dead"));
  symlinkSync("a/b", at("in"));
  symlinkSync("gone", at("a/b/dead"));
}

test("whatever was looked at before, a load finds what single looks find, errors too", () =>
  withTempDir((folder) => {
    makeTree((name) => join(folder, name));
    const segment = fc.constantFrom(...NAMES, "n".repeat(300), "é".repeat(900));
    const sampled = fc.sample(fc.array(segment, { minLength: 1, maxLength: 6 }), 600);
    const places = [...PLACES, ...sampled.map((segments) => segments.join("/"))]
      .map((place) => `${folder}/${place}`);
    const paths = ["/", "", "relative/x", "/dev/null/x", "/proc/self/cwd/x", ...places];
    for (const runtime of RUNTIMES) {
      const one = loadLooks(runtime);
      for (const path of paths) {
        const expected = outcome(() => plainKindAt(runtime, path));
        assert.deepEqual(outcome(() => kindAt(runtime, path)), expected, path);
        assert.deepEqual(outcome(() => kindAt(loadLooks(runtime), path)), expected, path);
        assert.deepEqual(outcome(() => kindAt(one, path)), expected, path);
        for (const look of ["stat", "isThere", "realPath"] as const) {
          assert.deepEqual(
            outcome(() => one[look](path)),
            outcome(() => runtime[look](path)),
            path,
          );
        }
      }
    }
  }));

test("nothing is looked at twice, nor below a missing folder, and what holds a thing is a folder", () => {
  const asked: string[] = [];
  const files = { "/w/.git/HEAD": "", "/w/dead": { link: "gone" } };
  const own = machine(files);
  const looks = loadLooks({
    ...own,
    stat: (path) => (asked.push(`stat ${path}`), own.stat(path)),
    isThere: (path) => (asked.push(`isThere ${path}`), own.isThere(path)),
    realPath: (path) => (asked.push(`realPath ${path}`), own.realPath(path)),
  });
  const table: readonly (readonly [look: () => unknown, value: unknown, asked: string[]])[] = [
    [() => looks.stat("/w/.git"), "directory", ["stat /w/.git"]],
    [() => looks.isThere("/w/.git"), true, []],
    [() => looks.stat("/w"), "directory", []],
    [() => looks.isThere("/w/no"), false, ["isThere /w/no"]],
    [() => looks.stat("/w/no"), undefined, []],
    [() => kindAt(looks, "/w/no/a"), undefined, []],
    [() => looks.isThere("/w/no/a/b"), false, []],
    [() => looks.stat("/w/dead/x"), undefined, ["stat /w/dead/x"]],
    [() => looks.stat("/w/dead"), undefined, ["stat /w/dead"]],
    [() => kindAt(looks, "/w/dead/y"), "dead", ["isThere /w/dead", "isThere /w/dead/y"]],
    [() => kindAt(looks, "/w/dead"), "dead", []],
    [() => looks.realPath("/w/x"), "/w/x", ["realPath /w/x"]],
    [() => looks.realPath("/w/x"), "/w/x", []],
  ];
  for (const [look, value, expected] of table) {
    assert.equal(look(), value, look.toString());
    assert.deepEqual(asked.splice(0), expected, look.toString());
  }
});

test("a look that fails is made again, and is not taken for an absent file", () => {
  const files: Record<string, string> = { "/w/x": "" };
  const own = machine(files);
  let fails = true;
  const refuse = <T>(look: (path: string) => T) => (path: string): T => {
    if (!fails) return look(path);
    throw new FileError(`Cannot read "${path}": permission denied`, { path, fault: "permission" });
  };
  const looks = loadLooks({ ...own, stat: refuse(own.stat), isThere: refuse(own.isThere) });
  const message = 'Cannot read "/w/x": permission denied';
  assert.equal(isAbsent(looks, "/w/x"), false);
  assert.throws(() => kindAt(looks, "/w/x"), { message, fault: "permission" });
  fails = false;
  assert.equal(kindAt(looks, "/w/x"), "file");
  const broken = { ...own, isThere: () => assert.fail("not a FileError") };
  assert.throws(() => isAbsent(broken, "/w/x"), assert.AssertionError);
});

const SOME_RULE = '[permissions]\ndeny = ["Bash(rm:*)"]\n';

/** A workspace and a home, both without a policy. */
function inScene(
  use: (at: (name: string) => string, own: (runtime: Runtime) => Runtime) => Promise<void>,
): Promise<void> {
  return withTempDir(async (folder) => {
    const at = (name: string) => join(folder, name);
    for (const name of ["home", "ws/.git"]) mkdirSync(at(name), { recursive: true });
    await use(at, (runtime) => ({
      ...runtime,
      env: (name) => name === "HOME" ? at("home") : undefined,
      cwd: () => at("ws"),
    }));
  });
}

/** The messages with which a load fails. */
async function messagesOf(runtime: Runtime): Promise<readonly string[]> {
  try {
    await openPolicy(runtime);
    return [];
  } catch (error) {
    if (error instanceof LoadError) return error.errors.map(({ message }) => message);
    throw error;
  }
}

const [PROJECT, LOCAL, USER] = [
  "ws/.caliban/permissions.toml",
  "ws/.caliban/permissions.local.toml",
  "home/.config/caliban/permissions.toml",
];

test("a link to nothing in the place of a policy file, or of a folder above it, is an error of each file behind it", () =>
  inScene(async (at, own) => {
    const table: readonly (readonly [link: string, files: readonly string[]])[] = [
      [PROJECT, [PROJECT]],
      [LOCAL, [LOCAL]],
      ["ws/.caliban", [LOCAL, PROJECT]],
      [USER, [USER]],
      ["home/.config/caliban", [USER]],
      ["home/.config", [USER]],
    ];
    for (const [link, files] of table) {
      mkdirSync(dirname(at(link)), { recursive: true });
      symlinkSync("gone", at(link));
      const expected = files.map((file) =>
        `Cannot read "${at(file)}": it is or goes through a link that leads nowhere`
      );
      for (const runtime of RUNTIMES) {
        assert.deepEqual(await messagesOf(own(runtime)), expected, link);
      }
      for (const name of ["ws/.caliban", "home/.config"]) {
        rmSync(at(name), { recursive: true, force: true });
      }
    }
    for (const runtime of RUNTIMES) assert.deepEqual(await messagesOf(own(runtime)), []);
  }));

test("a folder whose links lead in a circle is an error, not a folder without rules", () =>
  inScene(async (at, own) => {
    const message = (path: string) => `Cannot read "${at(path)}": its links lead in a circle`;
    symlinkSync(".caliban", at("ws/.caliban"));
    for (const runtime of RUNTIMES) {
      assert.deepEqual(await messagesOf(own(runtime)), [message("ws/.caliban")]);
    }
    rmSync(at("ws/.caliban"));
    symlinkSync(".config", at("home/.config"));
    for (const runtime of RUNTIMES) {
      assert.deepEqual(await messagesOf(own(runtime)), [message(USER)]);
    }
  }));

test("a folder that may not be entered is an error, not a folder without rules", () =>
  inScene(async (at, own) => {
    const closed = ["home/.config/caliban", "ws/.caliban"];
    for (const name of closed) {
      mkdirSync(at(name), { recursive: true });
      writeFileSync(join(at(name), "permissions.toml"), SOME_RULE);
    }
    const root = process.geteuid?.() === 0;
    // No mode stops root, so root becomes nobody for a while.
    for (const name of ["", "home", "home/.config", "ws"]) chmodSync(at(name), 0o755);
    if (root) process.seteuid?.(65534);
    const seen: string[] = [];
    try {
      for (const name of closed) {
        seteuid(0, root);
        chmodSync(at(name), 0);
        seteuid(65534, root);
        for (const runtime of RUNTIMES) seen.push(...await messagesOf(own(runtime)));
        seteuid(0, root);
        rmSync(at(name), { recursive: true });
      }
    } finally {
      if (root) process.seteuid?.(0);
    }
    const denied = (path: string) => `Cannot read "${at(path)}": permission denied`;
    assert.deepEqual(seen, [denied(USER), denied(USER), denied(PROJECT), denied(PROJECT)]);
  }));

function seteuid(user: number, isRoot: boolean): void {
  if (isRoot) process.seteuid?.(user);
}

test("a later load sees the files that came after an earlier one, and those that went", () =>
  inScene(async (at, own) => {
    const call = { tool: "Bash", input: { command: "rm -r x" } };
    for (const runtime of RUNTIMES) {
      const decide = async () => (await openPolicy(own(runtime))).evaluate(call).action;
      for (const file of [PROJECT, LOCAL, USER]) {
        assert.equal(await decide(), "ask", file);
        mkdirSync(dirname(at(file)), { recursive: true });
        writeFileSync(at(file), SOME_RULE);
        assert.equal(await decide(), "deny", file);
        rmSync(dirname(at(file)), { recursive: true });
      }
    }
  }));

test("a policy that was loaded follows links as they are when it decides", () =>
  inScene(async (at, own) => {
    for (const name of ["ws/.caliban", "ws/one", "ws/two"]) mkdirSync(at(name));
    writeFileSync(at(PROJECT), '[permissions]\ndeny = ["Write:two/**"]\n');
    for (const runtime of RUNTIMES) {
      symlinkSync("one", at("ws/link"));
      const policy = await openPolicy(own(runtime));
      const decide = () =>
        policy.evaluate({ tool: "Write", input: { path: at("ws/link/x") } }).action;
      assert.equal(decide(), "ask");
      rmSync(at("ws/link"));
      symlinkSync("two", at("ws/link"));
      assert.equal(decide(), "deny");
      rmSync(at("ws/link"));
    }
  }));

/** The runtime, and the looks that it is asked for. */
function counted(runtime: Runtime): { readonly runtime: Runtime; readonly asked: string[] } {
  const asked: string[] = [];
  const counting = <T>(name: string, look: (path: string) => T) => (path: string) => {
    asked.push(`${name} ${path}`);
    return look(path);
  };
  return {
    asked,
    runtime: {
      ...runtime,
      stat: counting("stat", runtime.stat),
      isThere: counting("isThere", runtime.isThere),
      realPath: counting("realPath", (path) => runtime.realPath(path)),
    },
  };
}

test("a load, and all loads of one event, look at nothing twice, and at no file of a missing folder", () =>
  inScene(async (at, own) => {
    for (const real of RUNTIMES) {
      const { runtime, asked } = counted(own(real));
      await openPolicy(runtime);
      assert.deepEqual(asked, [...new Set(asked)]);
      const missing = asked.filter((each) => /permissions\.(?:local\.)?toml$/.test(each));
      assert.deepEqual(missing, []);
      asked.length = 0;
      const event = { name: "PreToolUse", calls: [], readings: [], folders: [], cwd: at("ws") };
      const invocation = { operands: [], flags: [] };
      await openForEvent(event, { invocation, runtime });
      assert.deepEqual(asked, [...new Set(asked)]);
    }
  }));

test("a folder whose links cannot be followed is looked at for the reason, whatever was found in it", () =>
  withTempDir((folder) => {
    const [runtime] = RUNTIMES;
    const message = "run with --allow-read";
    const looks = loadLooks({
      ...runtime!,
      realPath: () => null,
      stat(path) {
        throw new FileError(message, { path, fault: "missing-flag" });
      },
    });
    writeFileSync(join(folder, "f"), "");
    assert.equal(looks.isThere(join(folder, "f")), true);
    assert.equal(looks.realPath(folder), null);
    assert.deepEqual(outcome(() => looks.stat(folder)), { fault: "missing-flag", message });
  }));
