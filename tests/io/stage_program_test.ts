import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { basename, join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { stageProgram } from "../../scripts/release/stage_program.ts";
import { ON_CALL } from "../../scripts/stage_source.ts";
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
      // The file that is named after it, the piece itself, and the helpers of the bundler.
      assert.equal(decision.size, 3, [...decision].join());
      const sizes = [...decision].map((name) => statSync(join(built, name)).size);
      assert.equal(sizes.filter((size) => size > 1_000).length, 1, sizes.join());
      const texts = [...decision].map((name) => readFileSync(join(built, name), "utf8")).join("");
      assert.ok(texts.includes("it is longer than 1 MiB"));
      assert.ok(!texts.includes("it is not valid shell syntax"));
      for (const path of ON_CALL) {
        const [, name = ""] = new RegExp(`require\\("\\./(${basename(path, ".ts")}-[^"]+)"\\)`)
          .exec(texts) ?? [];
        assert.ok(existsSync(join(built, name)) && name !== "", path);
      }
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

test("what is loaded on a call of it exports nothing but functions, and types", async () => {
  for (const path of ON_CALL) {
    const module: object = await import(pathToFileURL(join(REPO, path)).href);
    // A class is imported for its type alone: staging throws for the import of one.
    const values = Object.entries(module).filter(([name]) => /^[a-z]/.test(name));
    assert.ok(values.length > 0, path);
    for (const [name, value] of values) assert.equal(typeof value, "function", name);
  }
});
