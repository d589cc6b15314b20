import assert from "node:assert/strict";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { run as runCli } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import type { Runtime } from "../../lib/io/runtime/runtime.ts";
import { withTempDir } from "../support/temp_dir.ts";

/** Half of the time that Grok Build waits for its hook, in ms, and a little more. */
const HALF = 2_600;

test("after the deadline a hook reads no policy, though no timer could fire meanwhile", () =>
  withTempDir(async (folder) => {
    mkdirSync(join(folder, ".caliban"));
    writeFileSync(join(folder, ".caliban/permissions.toml"), "");
    const event = { hookEventName: "pre_tool_use", cwd: folder, toolName: "bash", toolInput: {} };
    const real = await chooseRuntime();
    const read: string[] = [];
    let printed = "";
    const runtime: Runtime = {
      ...real,
      env: (name) => ({ HOME: folder })[name],
      cwd: () => folder,
      readText(path) {
        read.push(path);
        return real.readText(path);
      },
      async *stdin() {
        yield await Promise.resolve(new TextEncoder().encode(JSON.stringify(event)));
        const end = performance.now() + HALF;
        while (performance.now() < end);
      },
      write(_stream, text) {
        printed += text;
        return Promise.resolve(true);
      },
    };
    const status = await runCli(["hook", "grok"], runtime);
    assert.equal(status, 2, printed);
    assert.match(printed, /the decision took too long/);
    assert.deepEqual(read, []);
  }));
