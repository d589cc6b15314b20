import assert from "node:assert/strict";
import { cpSync, existsSync, mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import presets from "../../defaults/presets.json" with { type: "json" };
import { CLI, commandOf, finish, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

for (const { name } of presets.presets) {
  test(
    `the preset ${name} passes the tests that are shipped with it, and lint finds nothing in it`,
    { skip: without("deno") },
    () =>
      withTempDir(async (folder) => {
        const workspace = join(folder, "ws");
        mkdirSync(join(workspace, ".caliban"), { recursive: true });
        const from = join(REPO, "defaults/presets");
        cpSync(join(from, `${name}.toml`), join(workspace, ".caliban/permissions.toml"));
        cpSync(join(from, `${name}.perms.toml`), join(workspace, "preset.perms.toml"));
        const flags = ["--quiet", "--no-prompt", "--no-check", "--allow-read", "--allow-env"];
        const config = ["--config", join(REPO, "deno.json")];
        // A home beside the workspace: a workspace that holds it holds the user's keys.
        mkdirSync(join(folder, "home"));
        for (const verb of ["test", "lint"]) {
          const { status, stdout, stderr } = await finish(
            [commandOf("deno"), "run", ...config, ...flags, CLI, verb],
            { cwd: workspace, env: { HOME: join(folder, "home") } },
          );
          assert.equal(status, 0, stdout + stderr);
          if (verb === "lint") assert.equal(stdout, "No findings in 1 file\n");
        }
        // A workspace in a folder for temporary files is covered by a rule for these.
      }, existsSync("/var/tmp") ? "/var/tmp" : undefined),
  );
}
