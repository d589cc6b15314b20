// Modules that are imported on demand: Deno looks for them when they are imported, which needs the permission to read.
import assert from "node:assert/strict";
import { test } from "node:test";
import { verbName } from "../../lib/cli/args/verb.ts";
import { UsageError } from "../../lib/cli/errors/errors.ts";
import { reportFailure } from "../../lib/cli/errors/failure.ts";
import { VERBS } from "../../lib/cli/registry.ts";
import { run } from "../../lib/cli/run.ts";
import { chooseRuntime } from "../../lib/io/runtime/choose_runtime.ts";
import { PLAIN } from "../../lib/report/color.ts";
import { LINT_FORMATS } from "../../lib/report/formats.ts";
import { lintText, tomlOf } from "../unit/lint/lint_text.ts";

for (const verb of VERBS) {
  test(`"${verbName(verb)}" can be loaded`, async () => {
    assert.equal(typeof (await verb.load()).run, "function");
  });
}

test("hook alone shows its verbs to a person, and stops an agent", async () => {
  const printed: string[] = [];
  const runtime = {
    ...await chooseRuntime(),
    write: (_stream: string, text: string) => Promise.resolve(printed.push(text) > 0),
  };
  const status = await run(["hook"], { ...runtime, isTerminal: () => true });
  assert.equal(status, 2);
  assert.match(printed.join(""), /\n {2}hook install .*\n/);
  printed.length = 0;
  assert.equal(await run(["hook"], { ...runtime, isTerminal: () => false }), 2);
  assert.match(printed.join(""), /the call is stopped without a decision/);
});

test("JSON goes to stdout, and text to stderr where nobody reads that", async () => {
  for (const isRead of [true, false]) {
    const printed = { stdout: "", stderr: "" };
    const runtime = {
      ...await chooseRuntime(),
      env: () => undefined,
      isTerminal: () => false,
      write(stream: "stdout" | "stderr", text: string) {
        if (stream === "stdout" && !isRead) return Promise.resolve(false);
        printed[stream] += text;
        return Promise.resolve(true);
      },
    };
    const lines = [["check", "--json"], ["explain", "--format", "json"], ["lint", "--format=json"]];
    for (const argv of lines) {
      printed.stdout = printed.stderr = "";
      const status = await reportFailure(new UsageError("x"), { argv, runtime, verbs: VERBS });
      assert.equal(status, 64);
      assert.equal(printed.stdout.startsWith('{"error":"x"'), isRead);
      assert.equal(printed.stderr.startsWith("error: x"), !isRead);
    }
    printed.stdout = printed.stderr = "";
    await reportFailure(new UsageError("x"), {
      argv: ["mcp", "--", "s", "--json"],
      runtime,
      verbs: VERBS,
    });
    assert.equal(printed.stdout, "");
  }
});

test("every format of findings can be loaded, and ends what it writes in a newline", async () => {
  const { findings, files } = lintText(tomlOf(["allow Bash:git*", "allow Bash:git*"]));
  for (const { load, name } of LINT_FORMATS) {
    const write = await load();
    const folders = { workspace: "/home/u/ws", home: "/home/u" };
    const style = { color: PLAIN, folders, tryCommand: () => "caliban check Bash x" };
    assert.match(write({ findings, files, fixed: [] }, style), /\n$/, name);
  }
});
