import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { bundleInto } from "../../scripts/bundle_into.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Why no bundle can be made here; false when one can. */
function missing(): string | false {
  if (!existsSync(join(REPO, "node_modules"))) return "bun install was not run";
  return spawnSync("bun", ["--version"]).status === 0 ? false : "there is no bun";
}

test(
  "a bundle decides, writes and fails as the source does, and its first file needs no node: module",
  {
    skip: missing(),
  },
  async () => {
    await withTempDir((folder) => {
      const dist = join(folder, "dist");
      bundleInto(dist);
      assert.deepEqual(readdirSync(dist).sort(), [
        "caliban.js",
        "classifier.js",
        "edit_file.js",
        "node_runtime.js",
        "opinion_cache.js",
        "read_audit_log.js",
      ]);
      assert.doesNotMatch(readFileSync(join(dist, "caliban.js"), "utf8"), /from ?"node:/);
      mkdirSync(join(folder, "ws/.git"), { recursive: true });
      const deno = "Deno" in globalThis ? Deno.execPath() : "deno";
      const run = (flags: readonly string[], ...args: readonly string[]) =>
        spawnSync(
          deno,
          ["run", "--no-prompt", ...flags, join(dist, "caliban.js"), ...args],
          { cwd: join(folder, "ws"), encoding: "utf8", env: { ...process.env, HOME: folder } },
        );
      const reading = ["--allow-read", "--allow-env"];
      assert.equal(run(reading, "check", "Bash", "git push").status, 2);
      const refused = run(reading, "add", "Bash(git push:*)", "allow");
      assert.match(refused.stderr, /--allow-write/);
      assert.equal(refused.status, 64);
      assert.equal(
        run([...reading, "--allow-write"], "add", "Bash(git push:*)", "allow").status,
        0,
      );
      assert.equal(run(reading, "check", "Bash", "git push").status, 0);
      assert.equal(run(reading, "audit").status, 0);
    });
  },
);
