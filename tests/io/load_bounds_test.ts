import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, symlinkSync, truncateSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import { run as runCli } from "../../lib/cli/run.ts";
import { gitState } from "../../lib/io/git/git_state.ts";
import { openPolicy } from "../../lib/io/load/load_policy.ts";
import { MOST_FOLDERS, WORKSPACE_BOUND } from "../../lib/io/load/read_places.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { FileError, LoadError, type Runtime } from "../../lib/io/runtime/runtime.ts";
import { firstBytes } from "../../lib/io/runtime/runtime_calls.ts";
import { PolicyError } from "../../lib/policy/decode/policy_error.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();

interface Scene {
  readonly folder: string;
  readonly runtime: Runtime;
  /** The files that were read, with the most bytes that each might have. */
  readonly reads: { readonly path: string; readonly most: number | undefined }[];
  readonly printed: () => string;
  readonly write: (path: string, text: string) => string;
}

const PROJECT = "ws/.caliban/permissions.toml";
const LOCAL = "ws/.caliban/permissions.local.toml";
const OWN = "home/.config/caliban/permissions.toml";

/** Runs with a workspace `ws` and a home in a folder of their own; a hook reads `event`. */
async function inScene(
  use: (scene: Scene) => Promise<void>,
  event: (folder: string) => object = () => ({}),
): Promise<void> {
  await withTempDir(async (folder) => {
    const reads: Scene["reads"] = [];
    let printed = "";
    mkdirSync(join(folder, "home"));
    mkdirSync(join(folder, "ws/.git"), { recursive: true });
    const runtime: Runtime = {
      ...real,
      env: (name) => ({ HOME: join(folder, "home") })[name],
      cwd: () => join(folder, "ws"),
      readText(path, most) {
        reads.push({ path, most });
        return real.readText(path, most);
      },
      async *stdin() {
        yield await Promise.resolve(new TextEncoder().encode(JSON.stringify(event(folder))));
      },
      write(_stream, text) {
        printed += text;
        return Promise.resolve(true);
      },
    };
    const write = (path: string, text: string) => {
      mkdirSync(dirname(join(folder, path)), { recursive: true });
      writeFileSync(join(folder, path), text);
      return join(folder, path);
    };
    await use({ folder, runtime, reads, write, printed: () => printed });
  });
}

function denies(count: number, word = "c"): string {
  const rules = Array.from({ length: count }, (_, at) => `"Bash:${word}${at}"`);
  return `[permissions]\ndeny = [${rules.join(",")}]\n`;
}

async function problemsOf(runtime: Runtime): Promise<readonly (readonly [string, string])[]> {
  try {
    await openPolicy(runtime);
    return [];
  } catch (error) {
    if (!(error instanceof PolicyError)) throw error;
    for (const { id, hint } of error.problems) {
      assert.equal(id, "too-large");
      assert.match(hint ?? "", /Remove rules, .* your own file has no such bound/);
    }
    return error.problems.map((
      { path, message },
    ) => [path, message.replace(/^.*no more than /, "")]);
  }
}

const SAID = {
  bytes: "1,048,576 bytes together",
  parts: "60,000 keys, values and tables together",
  rules: "10,000 rules together",
} as const;

const BEYOND: readonly (readonly [bound: keyof typeof SAID, text: string])[] = [
  ["rules", denies(10_001)],
  ["parts", `a = ${"[".repeat(60_001)}`],
  ["parts", `[${"a.".repeat(60_001)}a]`],
  ["parts", `[shell]\nvariables = [${'"A",'.repeat(60_001)}]`],
  ["parts", "k = 1\n".repeat(60_001)],
  ["bytes", `# ${"x".repeat(1_048_576)}\n`],
  ["bytes", `# ${"é".repeat(524_288)}\n`],
];

test("a workspace's files are bounded, so that they cannot make a hook late; a user's own is not", () =>
  inScene(async ({ folder, runtime, write }) => {
    for (const [bound, text] of BEYOND) {
      for (const path of [PROJECT, LOCAL]) {
        write(path, text);
        assert.deepEqual(await problemsOf(runtime), [[join(folder, path), SAID[bound]]]);
        write(path, "");
      }
    }
    write(PROJECT, denies(10_000));
    write(OWN, denies(12_000, "own"));
    const policy = await openPolicy(runtime);
    assert.equal(policy.rules.filter(({ source }) => source.kind !== "builtin").length, 22_000);
  }));

test("the bounds are of all files of the workspace together", () =>
  inScene(async ({ folder, runtime, write }) => {
    const half: readonly (readonly [keyof typeof SAID, string])[] = [
      ["rules", denies(6_000)],
      ["parts", `[shell]\nwrappers = [${'"a",'.repeat(35_000)}]`],
      ["bytes", `# ${"x".repeat(600_000)}\n`],
    ];
    for (const [bound, text] of half) {
      write(LOCAL, text);
      write(PROJECT, "");
      assert.deepEqual(await problemsOf(runtime), []);
      write(PROJECT, text);
      assert.deepEqual(await problemsOf(runtime), [[join(folder, PROJECT), SAID[bound]]]);
    }
  }));

test("of a huge file of a workspace no more is read than the bound", () =>
  inScene(async ({ folder, runtime, reads, write }) => {
    truncateSync(write(PROJECT, ""), 2 ** 40);
    truncateSync(write(LOCAL, ""), 2 ** 30);
    assert.deepEqual(await problemsOf(runtime), [
      [join(folder, LOCAL), SAID.bytes],
      [join(folder, PROJECT), SAID.bytes],
    ]);
    const { bytes } = WORKSPACE_BOUND;
    const bounded = reads.filter(({ path }) => path.startsWith(join(folder, "ws")));
    assert.deepEqual(bounded.map(({ most }) => most), [bytes, bytes]);
  }));

test("of a file that grows while it is read no more is read than the bound", () => {
  for (const [size, most] of [[0, 10], [3, 10], [9, 10], [10, 10], [100, 10], [0, 0]] as const) {
    let given = 0;
    const read = (into: Uint8Array) => {
      const count = Math.min(into.length, 4);
      into.fill(120, 0, count);
      given += count;
      return count;
    };
    assert.equal(firstBytes(most, { size, read }).length, most);
    assert.equal(given, most);
  }
  let rest = 7;
  const short = firstBytes(100, {
    size: 2,
    read: (into) => {
      const count = Math.min(into.length, rest);
      rest -= count;
      return count;
    },
  });
  assert.equal(short.length, 7);
});

test("a text is read up to a bound, and the error names it", () =>
  inScene(async ({ runtime, write }) => {
    const path = write("ws/x", "é".repeat(8));
    assert.equal(runtime.readText(path, 16), "é".repeat(8));
    assert.throws(
      () => runtime.readText(path, 15),
      (error) =>
        error instanceof FileError && error.fault === "too-large" &&
        error.message === `Cannot read "${path}": it is larger than 15 bytes`,
    );
    await Promise.resolve();
  }));

test("hooks and trusted files of a workspace are bounded too", () =>
  inScene(async ({ runtime, write }) => {
    write(PROJECT, denies(1));
    assert.equal(await runCli(["trust", "--yes"], runtime), 0);
    truncateSync(write("ws/.caliban/hooks.json", ""), 2 ** 30);
    await assert.rejects(
      openPolicy(runtime),
      (error) => error instanceof LoadError && error.message.endsWith("it is larger than 1 MiB"),
    );
  }));

test("what is no file has no rules, and stops the load without waiting", async () => {
  for (const path of [PROJECT, LOCAL]) {
    const told = new RegExp(`${path.split("/").at(-1)}": it is (?:not a file|a pipe or device)`);
    const makers: readonly ((at: string) => void)[] = [
      (at) => mkdirSync(at),
      ...(real.platform === "windows" ? [] : [
        (at: string) => execFileSync("mkfifo", [at]),
        (at: string) => symlinkSync("/dev/zero", at),
        (at: string) => symlinkSync("/dev/tty", at),
      ]),
    ];
    for (const make of makers) {
      await inScene(async ({ folder, runtime }) => {
        mkdirSync(join(folder, "ws/.caliban"));
        make(join(folder, path));
        await assert.rejects(openPolicy(runtime), told);
      });
    }
  }
});

test("a repository's configuration is bounded: beyond it the repository is not one's own", () =>
  inScene(async ({ folder, runtime, write }) => {
    const { location } = await openPolicy(runtime);
    for (const name of ["objects", "refs"]) mkdirSync(join(folder, "ws/.git", name));
    write("ws/.git/HEAD", "ref: refs/heads/main\n");
    const inside = { folder: join(folder, "ws"), location };
    const config = write("ws/.git/config", "[core]\nrepositoryformatversion = 0\n");
    assert.equal(gitState(runtime, inside)?.why, undefined);
    truncateSync(config, 2 ** 30);
    assert.match(gitState(runtime, inside)?.why ?? "", /cannot be read/);
  }));

/** A folder below the workspace, so many folders deep, each with a policy of so many rules. */
function nest({ write }: Scene, { folders, rules }: { folders: number; rules: number }): void {
  for (let depth = 0; depth < folders; depth++) {
    write(`ws/${"d/".repeat(depth)}.caliban/permissions.toml`, denies(rules, `d${depth}x`));
  }
}

const codexEvent = (depth: number) => (folder: string) => ({
  hook_event_name: "PreToolUse",
  session_id: "s",
  cwd: join(folder, "ws", "d/".repeat(depth)),
  tool_name: "Bash",
  tool_input: { command: "d0x0" },
});

test("an agent's call reads each policy file once, in however many workspaces it lies", () =>
  inScene(async (scene) => {
    nest(scene, { folders: 5, rules: 3 });
    scene.write(OWN, denies(3, "own"));
    assert.equal(await runCli(["hook", "codex"], scene.runtime), 0, scene.printed());
    assert.match(scene.printed(), /"permissionDecision":"deny"/);
    const paths = scene.reads.map(({ path }) => path).filter((path) => /permissions/.test(path));
    assert.equal(paths.length, 6);
    assert.equal(new Set(paths).size, 6);
  }, codexEvent(4)));

test("the bounds are of all folders around an agent's call, and beyond them the call is stopped", async () => {
  const many: readonly (readonly [folders: number, rules: number, said: RegExp])[] = [
    [3, 4_000, /permissions\.toml:2:\d+: Cannot read the file: .* 10,000 rules together/],
    [MOST_FOLDERS + 2, 1, /more than 16 folders with a policy are around the call/],
  ];
  for (const [folders, rules, said] of many) {
    await inScene(async (scene) => {
      nest(scene, { folders, rules });
      assert.equal(await runCli(["hook", "codex"], scene.runtime), 2, scene.printed());
      assert.match(scene.printed(), /the call is stopped without a decision/);
      assert.match(scene.printed(), said);
    }, codexEvent(folders - 1));
  }
});
