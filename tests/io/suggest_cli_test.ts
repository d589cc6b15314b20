import assert from "node:assert/strict";
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { shellWords } from "../support/spec_words.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const POLICY = `# Ours.
[[permissions.rules]]
pattern = "Bash:rm *"
action = "deny"
`;

/** The folder, clock, input and terminal of a run. */
interface Scene {
  readonly cwd: string;
  /** Ms that pass from one look at the clock to the next. */
  readonly pace?: number;
  readonly stdin?: string;
  readonly terminal?: "stderr";
}

async function caliban({ cwd, pace = 0, stdin = "", terminal }: Scene, words: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  let now = Date.UTC(2026, 10, 22);
  const runtime: Runtime = {
    ...real,
    env: (name) => name === "PATH" ? real.env("PATH") : name === "HOME" ? cwd : undefined,
    cwd: () => join(cwd, "ws"),
    now: () => now += pace,
    isTerminal: (stream) => stream === terminal,
    async *stdin() {
      await Promise.resolve();
      yield new TextEncoder().encode(stdin);
    },
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(words, runtime);
  return { status, ...printed };
}

async function report(scene: Scene, words: readonly string[]) {
  const { status, stdout, stderr } = await caliban(scene, ["perms", "suggest", "--json", ...words]);
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

function inWorkspace(work: (scene: Scene, folder: string) => Promise<void>) {
  return withTempDir(async (cwd) => {
    const folder = join(cwd, "ws");
    mkdirSync(join(folder, ".caliban"), { recursive: true });
    writeFileSync(join(folder, ".caliban/permissions.toml"), POLICY);
    await work({ cwd }, folder);
  });
}

function linesOf(commands: readonly string[]): string {
  return commands.map((command) => JSON.stringify({ tool: "Bash", input: { command } }) + "\n")
    .join("");
}

const ASKS = [
  ...Array(30).fill("git push origin main"),
  "git push --tags",
  ...Array(20).fill("npm test"),
  ...Array(5).fill("npm test && git push"),
  ...Array(3).fill("rm -rf x"),
  "eval $x",
];

test("the commands that are printed answer what the report says, and nothing is written before", () =>
  inWorkspace(async (scene, folder) => {
    writeFileSync(join(folder, "a.jsonl"), linesOf(ASKS));
    const before = await report(scene, ["a.jsonl", "--cover", "100"]);
    assert.deepEqual([before.calls, before.asks, before.answered], [60, 57, 56]);
    assert.equal(before.unanswerable.unknown, 1);
    assert.equal(readFileSync(join(folder, ".caliban/permissions.toml"), "utf8"), POLICY);
    assert.deepEqual(readdirSync(folder).sort(), [".caliban", "a.jsonl"]);
    for (const { command } of before.suggestions) {
      const { status } = await caliban(scene, shellWords(command, new Map()).slice(1));
      assert.equal(status, 0, command);
    }
    const after = await report(scene, ["a.jsonl"]);
    assert.deepEqual([after.asks, after.suggestions], [1, []]);
    const lint = await caliban(scene, ["perms", "lint", ".caliban/permissions.toml"]);
    assert.doesNotMatch(lint.stdout, /allow "Bash/);
  }));

test("packed files, plain files and standard input come to the same", () =>
  inWorkspace(async (scene, folder) => {
    writeFileSync(join(folder, "a.jsonl"), linesOf(ASKS));
    writeFileSync(join(folder, "a.jsonl.gz"), gzipSync(linesOf(ASKS)));
    const plain = await report(scene, ["a.jsonl"]);
    assert.ok(plain.suggestions.length > 0);
    assert.deepEqual(await report(scene, ["a.jsonl.gz"]), plain);
    assert.deepEqual(await report({ ...scene, stdin: linesOf(ASKS) }, ["-"]), plain);
    const both = await report({ ...scene, stdin: linesOf(ASKS) }, ["a.jsonl", "-"]);
    assert.deepEqual([both.calls, both.answered], [plain.calls * 2, plain.answered * 2]);
  }));

test("of a long standard input the report says what did not fit, and claims no more than it saw", () =>
  inWorkspace(async (scene) => {
    const note = "x".repeat(1 << 20);
    const long = Array.from({ length: 20 }, (_, at) => {
      const call = { tool: "Bash", input: { command: `git push origin b${at}`, note } };
      return JSON.stringify(call) + "\n";
    });
    const cut = await report({ ...scene, stdin: long.join("") }, ["-"]);
    assert.deepEqual([cut.calls, cut.answered, cut.notKept], [20, 15, 5]);
    assert.equal(cut.suggestions[0].pattern, "Bash(git push:*)");
  }));

test("on a terminal it says how far it is, after a while and on stderr alone", () =>
  inWorkspace(async (scene, folder) => {
    writeFileSync(join(folder, "a.jsonl"), linesOf(Array(3_000).fill("git push")));
    const words = ["perms", "suggest", "a.jsonl"];
    const told = await caliban({ ...scene, pace: 700, terminal: "stderr" }, words);
    assert.match(told.stderr, /\[#* *\] +\d+ % {2}\d+ lines/);
    assert.ok(told.stderr.endsWith("\r\x1b[K"));
    assert.equal((await caliban(scene, words)).stderr, "");
    assert.equal(told.stdout, (await caliban(scene, words)).stdout);
  }));

test("edits are no question in acceptEdits mode", () =>
  inWorkspace(async (scene, folder) => {
    const edit = { tool: "Edit", input: { path: "README.md" }, cwd: folder };
    writeFileSync(join(folder, "a.jsonl"), `${JSON.stringify(edit)}\n`.repeat(3));
    assert.equal((await report(scene, ["a.jsonl"])).suggestions[0].pattern, "Edit:./README.md");
    const accepted = await report(scene, ["a.jsonl", "--permission-mode", "acceptEdits"]);
    assert.deepEqual([accepted.asks, accepted.suggestions], [0, []]);
  }));
