import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { stageProgram } from "../../scripts/release/stage_program.ts";
import { commandOf, without } from "../support/process.ts";
import { REPO } from "../support/spec_run.ts";
import { withTempDir } from "../support/temp_dir.ts";

const isInstalled = existsSync(join(REPO, "node_modules"));
const NEEDS = { skip: isInstalled ? without("bun") : "bun install was not run" };

/** The files that one file of a build imports at once, itself included. */
function loadedWith(name: string, folder: string): ReadonlySet<string> {
  const loaded = new Set([name]);
  for (const each of loaded) {
    const text = readFileSync(join(folder, each), "utf8");
    for (const [, other] of text.matchAll(/\bimport(?:[^;"'()]*from)?"\.\/([^"]+)"/g)) {
      loaded.add(other!);
    }
  }
  return loaded;
}

test(
  "a decision of the compiled program loads one piece, and a hook the agent's own too",
  NEEDS,
  () =>
    withTempDir((folder) => {
      const [stage, built] = [join(folder, "stage"), join(folder, "built")];
      stageProgram(REPO, stage);
      const flags = ["--target=bun", "--minify", "--splitting", `--outdir=${built}`];
      const ended = spawnSync(commandOf("bun"), ["build", ...flags, "cli.ts"], { cwd: stage });
      assert.equal(ended.status, 0, String(ended.stderr));
      const cli = readFileSync(join(built, "cli.js"), "utf8");
      const started = [...cli.matchAll(/\bimport\("\.\/(hot-[^"]+)"\)/g)].map(([, name]) => name!);
      assert.equal(new Set(started).size, 1);
      const decision = loadedWith(started[0]!, built);
      // The file that is named after it, and the piece itself.
      assert.equal(decision.size, 2, [...decision].join());
      const pieces = readdirSync(built).filter((name) => /^hook-/.test(name));
      assert.ok(pieces.length > 10);
      const agents = pieces.map((name) => loadedWith(name, built).size);
      assert.ok(Math.max(...agents) < 12, agents.join());
    }),
);

test("the tables of the compiled program say what those of the source say, each time", () =>
  withTempDir(async (folder) => {
    stageProgram(REPO, folder);
    const tables = readdirSync(join(folder, "defaults")).filter((name) =>
      name.endsWith(".json.ts")
    );
    assert.ok(tables.length > 5, tables.join());
    for (const name of tables) {
      const path = join(folder, "defaults", name);
      const { default: made }: { default: object } = await import(pathToFileURL(path).href);
      const written = JSON.parse(readFileSync(path.slice(0, -".ts".length), "utf8"));
      assert.deepEqual({ ...made }, written, name);
      assert.deepEqual({ ...made }, written, name);
      assert.deepEqual(Object.keys(made), Object.keys(written), name);
    }
  }));
