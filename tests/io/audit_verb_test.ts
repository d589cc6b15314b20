import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { AUDIT } from "../../lib/cli/audit/table.ts";
import { run } from "../../lib/cli/audit/run.ts";
import { parseArgs } from "../../lib/cli/args/parse_args.ts";
import { openAuditLog } from "../../lib/io/audit/audit_log.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { textWidth } from "../../lib/text/visible.ts";
import { entryOf } from "../support/audit_entries.ts";
import { withTempDir } from "../support/temp_dir.ts";

const real = await chooseRuntime();
const NOW = Date.UTC(2026, 10, 22, 12);

/** The command line of a run, its home, and the reader of its output. */
interface Reader {
  /** The home folder, with the log in it. */
  readonly home: string;
  /** The words of the command line. */
  readonly argv: readonly string[];
  /** Told of everything that is printed on standard output; false when it wants no more. */
  readonly onText?: (text: string) => boolean;
}

async function audit({ home, argv, onText = () => true }: Reader) {
  const printed = { stdout: "", stderr: "" };
  const runtime: Runtime = {
    ...real,
    env: (name) => name === "HOME" ? home : undefined,
    now: () => NOW,
    isTerminal: () => false,
    write(stream, text) {
      printed[stream] += text;
      return Promise.resolve(stream === "stderr" || onText(text));
    },
  };
  const status = await run(parseArgs(AUDIT, argv), runtime);
  return { status, ...printed };
}

function logIn(home: string, lines: readonly string[]): string {
  const folder = join(home, ".local/state/caliban");
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, "audit.jsonl"), lines.join(""), { mode: 0o600 });
  return join(folder, "audit.jsonl");
}

test("new decisions are shown as they come, until the reader goes", () =>
  withTempDir(async (home) => {
    const path = logIn(home, [entryOf("old", NOW)]);
    const log = openAuditLog(real, { path, full: 1000 });
    let count = 0;
    const { status, stdout } = await audit({
      home,
      argv: ["--follow", "--json"],
      onText: () => {
        count++;
        if (count < 5) log.append(entryOf(`echo ${count}`, NOW)).then(assert.ifError);
        return count < 5;
      },
    });
    assert.equal(status, 0);
    const commands = stdout.trim().split("\n").map((line) => JSON.parse(line).input.command);
    assert.deepEqual(commands, ["old", "echo 1", "echo 2", "echo 3", "echo 4"]);
  }));

test("a reader that waits stops after so many", () =>
  withTempDir(async (home) => {
    logIn(home, ["a", "b", "c"].map((command) => entryOf(command, NOW)));
    const { stdout } = await audit({ home, argv: ["--follow", "--head", "2", "--json"] });
    assert.equal(stdout.trim().split("\n").length, 2);
  }));

test("spans count back from now", () =>
  withTempDir(async (home) => {
    const hour = 3_600_000;
    const ages = [50, 25, 23, 2, 0];
    logIn(home, ages.map((age) => entryOf(`age ${age}`, NOW - age * hour)));
    const shown = async (...argv: readonly string[]) => {
      const { stdout } = await audit({ home, argv: [...argv, "--json"] });
      return stdout.trimEnd().split("\n").map((line) => JSON.parse(line).input.command);
    };
    assert.deepEqual(await shown("--since", "24h"), ["age 23", "age 2", "age 0"]);
    assert.deepEqual(await shown("--since", "2d", "--until", "1h"), ["age 25", "age 23", "age 2"]);
    assert.deepEqual(await shown("--until=2026-11-22T10:00:00Z", "--since=1d"), ["age 23"]);
  }));

test("the table fits 80 columns and cannot steer a terminal, whatever was called", () =>
  withTempDir(async (home) => {
    const commands = ["git push", "漢".repeat(200), "a\x1b[2J\u202e\n\n", "x".repeat(5000)];
    logIn(home, commands.map((command) => entryOf(command, NOW)));
    const { stdout } = await audit({ home, argv: [] });
    const lines = stdout.trimEnd().split("\n");
    assert.equal(lines.length, 1 + commands.length);
    assert.equal(lines[1], "2026-11-22 12:00:00  ask     rule         Bash git push");
    for (const line of lines) {
      assert.ok(textWidth(line) <= 80, line);
      assert.doesNotMatch(line, /[\p{Cc}\p{Cf}]/u);
    }
  }));

test(
  "a large log is read in little memory and time",
  { timeout: 60_000 },
  () =>
    withTempDir(async (home) => {
      const line = entryOf("git push", NOW);
      logIn(home, [line.repeat(100_000)]);
      let count = 0;
      const start = performance.now();
      await audit({ home, argv: ["--action", "deny"], onText: () => ++count > 0 });
      assert.equal(count, 1);
      assert.ok(performance.now() - start < 20_000);
    }),
);
