import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { chmodSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { commandOf, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Runs `deno task catalog` with these words, and these programs on the PATH. */
function catalog(words: readonly string[], folder: string) {
  const flags = ["--allow-read", "--allow-write", "--allow-env", "--allow-run", "--cached-only"];
  return spawnSync(
    commandOf("deno"),
    ["run", "--quiet", "--no-prompt", ...flags, join(REPO, "scripts/catalog/run.ts"), ...words],
    { cwd: REPO, encoding: "utf8", env: { ...process.env, PATH: `${folder}:/usr/bin:/bin` } },
  );
}

test(
  "deno task catalog names the options that a table lacks",
  { skip: without("deno") },
  () =>
    withTempDir((folder) => {
      writeFileSync(join(folder, "wc"), "#!/bin/sh\necho '  -l, --lines  x\n  --novel  y'\n");
      chmodSync(join(folder, "wc"), 0o755);
      const { status, stdout } = catalog(["wc", "--check"], folder);
      assert.match(stdout, /^wc: not in its table: --novel$/m);
      assert.match(stdout, /1 commands compared, 1 with options that their table lacks/);
      assert.equal(status, 1);
      assert.equal(catalog(["wc"], folder).status, 0);
    }),
);

test(
  "deno task catalog refuses what it does not know",
  { skip: without("deno") },
  () =>
    withTempDir((folder) => {
      const program = catalog(["no-such-program"], folder);
      assert.match(program.stderr, /No table in defaults\/shell.toml for "no-such-program"/);
      assert.equal(program.status, 64);
      assert.equal(catalog(["--chek"], folder).status, 64);
    }),
);
