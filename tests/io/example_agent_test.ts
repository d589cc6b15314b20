// Needs --allow-read, --allow-write, --allow-env, --allow-run: the example is run as people run it.
import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { cacheEnv, REPO } from "../support/spec_run.ts";
import { trustAtHome } from "../support/trust.ts";
import { withTempDir } from "../support/temp_dir.ts";

const run = "Deno" in globalThis
  ? [process.execPath, "run", "--quiet", "--no-prompt", "--cached-only", "-A"]
  : [process.execPath, "--no-env-file"];

const EXAMPLE = join(REPO, "examples/agent.ts");

test("the example of an agent is below 40 lines and runs only what is allowed", () =>
  withTempDir(async (folder) => {
    assert.ok(readFileSync(EXAMPLE, "utf8").split("\n").length < 40);
    mkdirSync(join(folder, ".caliban"));
    mkdirSync(join(folder, "home"));
    const rule = '[[permissions.rules]]\npattern = "Bash(echo:*)"\naction = "allow"\n';
    writeFileSync(join(folder, ".caliban/permissions.toml"), rule);
    await trustAtHome(folder, join(folder, "home"));
    const calls = ["echo hi", "echo hi; touch proof"].map((command) =>
      JSON.stringify({ tool: "Bash", input: { command } })
    );
    const [command, ...args] = run;
    const { stdout, status } = spawnSync(command!, [...args, EXAMPLE], {
      cwd: folder,
      input: calls.join("\n"),
      encoding: "utf8",
      env: { ...cacheEnv(), PATH: "/usr/bin:/bin", HOME: join(folder, "home") },
    });
    const [first, second] = stdout.split("\n").filter((line) => line !== "");
    assert.deepEqual([status, first], [0, "hi"]);
    assert.match(second ?? "", /^not run: nobody can be asked/);
    assert.throws(() => readFileSync(join(folder, "proof")));
  }));
