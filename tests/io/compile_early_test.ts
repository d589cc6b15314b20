import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Lines, and true for those that are worth an early compiler. */
const LINES: readonly (readonly [words: readonly string[], isLong: boolean])[] = [
  [["check", "Bash", "git status"], false],
  [["hook", "claude"], false],
  [["check", "--stdin"], true],
  [["list"], true],
];

for (const [words, isLong] of LINES) {
  const name = words.join(" ");
  test(`the compiled program ${isLong ? "compiles" : "does not compile"} early in: ${name}`, () =>
    withTempDir(async (folder) => {
      mkdirSync(join(folder, ".git"));
      const real = await chooseRuntime();
      const runtime: Runtime = {
        ...real,
        env: (name) => ({ HOME: folder })[name],
        cwd: () => folder,
        async *stdin() {},
        write: () => Promise.resolve(true),
      };
      assert.deepEqual(await scalesOf(() => run(words, runtime)), isLong ? [1] : []);
    }));
}

/** The part of Bun that is watched; made where there is no Bun. */
interface BunCalls {
  readonly unsafe: { setJITPolicy: (scale: number) => void };
}

/** The scales that a run sets. */
async function scalesOf(use: () => Promise<unknown>): Promise<readonly number[]> {
  const world = globalThis as { Bun?: BunCalls };
  const own = world.Bun;
  const { unsafe } = own ?? (world.Bun = { unsafe: { setJITPolicy() {} } });
  const before = unsafe.setJITPolicy;
  const scales: number[] = [];
  unsafe.setJITPolicy = (scale) => void scales.push(scale);
  try {
    await use();
    return scales;
  } finally {
    unsafe.setJITPolicy = before;
    if (own === undefined) delete world.Bun;
  }
}
