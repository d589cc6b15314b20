import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { commitAll } from "../support/git_repo.ts";
import { entryOf } from "../support/audit_entries.ts";
import { finish, HERE, starter } from "../support/process.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const CALL = '{"tool":"Bash","input":{"command":"git status"}}\n';
const POLICY = '[[permissions.rules]]\npattern = "Bash(git:*)"\naction = "allow"\n';

/** The folder, clock, input and terminal of a run. */
interface Scene {
  readonly cwd: string;
  /** Ms that pass from one look at the clock to the next. */
  readonly pace?: number;
  readonly stdin?: () => AsyncIterable<Uint8Array>;
  readonly terminal?: "stderr";
}

async function replay({ cwd, pace = 0, stdin, terminal }: Scene, words: readonly string[]) {
  const printed = { stdout: "", stderr: "" };
  let now = Date.UTC(2026, 10, 22);
  const runtime: Runtime = {
    ...real,
    env: (name) => name === "PATH" ? real.env("PATH") : name === "HOME" ? cwd : undefined,
    cwd: () => cwd,
    now: () => now += pace,
    isTerminal: (stream) => stream === terminal,
    ...(stdin === undefined ? {} : { stdin }),
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(true);
    },
  };
  const status = await run(["perms", "replay", ...words], runtime);
  return { status, ...printed };
}

function policyIn(folder: string): void {
  mkdirSync(join(folder, ".caliban"), { recursive: true });
  writeFileSync(join(folder, ".caliban/permissions.toml"), POLICY);
}

test("packed records are unpacked, and a broken one is an error", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    const packed = gzipSync(CALL.repeat(1000));
    writeFileSync(join(cwd, "a.jsonl.gz"), packed);
    writeFileSync(join(cwd, "b.jsonl"), CALL);
    const { status, stdout } = await replay({ cwd }, ["a.jsonl.gz", "b.jsonl", "--json"]);
    assert.equal(status, 0);
    assert.equal(JSON.parse(stdout).decisions.allow.calls, 1001);
    writeFileSync(join(cwd, "cut.gz"), packed.subarray(0, packed.length - 12));
    const cut = await replay({ cwd }, ["cut.gz"]);
    assert.equal(cut.status, 65);
    assert.equal(cut.stdout, "");
    assert.match(cut.stderr, /^error: Cannot read "/);
  }));

test("a bar is shown on a terminal, only after a second, and taken away", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    writeFileSync(join(cwd, "a.jsonl"), CALL.repeat(5000));
    const slow = await replay({ cwd, pace: 700, terminal: "stderr" }, ["a.jsonl"]);
    const shown = slow.stderr.split("\r\x1b[K");
    assert.equal(shown[0], "");
    assert.match(shown[1] ?? "", /^\[#* *\] +\d+ % {2}\d+ lines$/);
    assert.equal(shown.at(-1), "");
    const quick = await replay({ cwd, pace: 1, terminal: "stderr" }, ["a.jsonl"]);
    assert.equal(quick.stderr, "");
    const piped = await replay({ cwd, pace: 700 }, ["a.jsonl"]);
    assert.equal(piped.stderr, "");
    assert.equal(piped.stdout, slow.stdout);
  }));

test("the audit log is replayed where nothing is named", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    const folder = join(cwd, ".local/state/caliban");
    mkdirSync(folder, { recursive: true });
    const time = Date.UTC(2026, 10, 21);
    writeFileSync(join(folder, "audit.jsonl"), entryOf("a", time) + entryOf("b", time));
    const { status, stdout } = await replay({ cwd }, ["--json"]);
    assert.equal(status, 0);
    const { calls, since } = JSON.parse(stdout);
    assert.equal(calls, 2);
    assert.ok(Array.isArray(since.groups));
  }));

test("a stream is read line by line however it is cut, and memory stays constant", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    const lines = 12_000;
    async function* stdin(): AsyncIterable<Uint8Array> {
      for (let n = 0; n < lines; n++) {
        const line = `{"tool":"Bash","input":{"command":"make ${"x".repeat(500)} ${n}"}}\n`;
        const bytes = new TextEncoder().encode(line);
        yield bytes.subarray(0, 100);
        yield await Promise.resolve(bytes.subarray(100));
      }
    }
    const { status, stdout } = await replay({ cwd, stdin }, ["-", "--json"]);
    assert.equal(status, 0);
    const { decisions, asks } = JSON.parse(stdout);
    assert.equal(decisions.ask.calls, lines);
    assert.ok(asks.groups.length <= 10_000);
    const grouped = asks.groups.reduce(
      (sum: number, { calls }: { calls: number }) => sum + calls,
      0,
    );
    assert.equal(grouped + asks.others, lines);
  }));

test("a revision is what was, the workspace what is now", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    writeFileSync(join(cwd, "a.jsonl"), CALL);
    commitAll(cwd);
    writeFileSync(join(cwd, ".caliban/permissions.toml"), POLICY.replace("allow", "deny"));
    const { stdout } = await replay({ cwd }, ["a.jsonl", "--against", "git:HEAD", "--json"]);
    const { changes: { groups: [group] } } = JSON.parse(stdout);
    assert.equal(group.effect, "tightened");
    assert.deepEqual([group.was.action, group.now.action], ["allow", "deny"]);
    assert.equal(group.was.rule.source.path, "git:HEAD:.caliban/permissions.toml");
  }));

test("as a process it reads a pipe, and needs no git without --against", () =>
  withTempDir(async (cwd) => {
    policyIn(cwd);
    const words = [...starter(HERE, ["read", "env"]), "perms", "replay", "-"];
    const { status, stdout, stderr } = await finish(words, {
      cwd,
      env: { HOME: cwd },
      input: CALL,
    });
    assert.equal(status, 0, stderr);
    assert.match(stdout, /^1 call\n {2}1 {2}allow\n/);
    assert.equal(stderr, "");
  }));
