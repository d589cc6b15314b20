import assert from "node:assert/strict";
import { test } from "node:test";
import { chooseColor } from "../../../lib/cli/output/choose_color.ts";
import { FileError, type Runtime } from "../../../lib/io/runtime/runtime.ts";
import { ANSI, PLAIN } from "../../../lib/report/color.ts";

/** A port of which only what colour asks for is there. */
function terminal(env: Readonly<Record<string, string>> | "forbidden", stream: string): Runtime {
  return {
    isTerminal: (asked: string) => asked === stream,
    env(name: string) {
      if (env !== "forbidden") return env[name];
      throw new FileError("Cannot read", { path: name, fault: "missing-flag" });
    },
  } as Runtime;
}

const stream = "stdout";

test("auto is colour on a terminal, and only for that stream", () => {
  for (const flag of [undefined, "auto"]) {
    assert.equal(chooseColor(terminal({}, "stdout"), { flag, stream }), ANSI);
    assert.equal(chooseColor(terminal({}, "stderr"), { flag, stream }), PLAIN);
  }
});

test("NO_COLOR counts when it is not empty, TERM=dumb always", () => {
  const chosen = (env: Readonly<Record<string, string>>) =>
    chooseColor(terminal(env, stream), { flag: undefined, stream });
  assert.equal(chosen({ NO_COLOR: "1" }), PLAIN);
  assert.equal(chosen({ NO_COLOR: "" }), ANSI);
  assert.equal(chosen({ TERM: "dumb" }), PLAIN);
  assert.equal(chosen({ TERM: "xterm" }), ANSI);
});

test("FORCE_COLOR and CLICOLOR_FORCE give colour without a terminal, below NO_COLOR", () => {
  const chosen = (env: Readonly<Record<string, string>>, shown = "none") =>
    chooseColor(terminal(env, shown), { flag: undefined, stream });
  assert.equal(chosen({ FORCE_COLOR: "1" }), ANSI);
  assert.equal(chosen({ FORCE_COLOR: "true", TERM: "dumb" }), ANSI);
  assert.equal(chosen({ CLICOLOR_FORCE: "1" }), ANSI);
  for (const env of [{}, { FORCE_COLOR: "" }, { CLICOLOR_FORCE: "0" }, { CLICOLOR_FORCE: "" }]) {
    assert.equal(chosen(env), PLAIN);
    assert.equal(chosen(env, stream), ANSI);
  }
  for (const value of ["0", "false"]) assert.equal(chosen({ FORCE_COLOR: value }, stream), PLAIN);
  assert.equal(chosen({ FORCE_COLOR: "1", NO_COLOR: "1" }, stream), PLAIN);
  assert.equal(chosen({ FORCE_COLOR: "1", NO_COLOR: "" }), ANSI);
});

test("the flag stands above terminal and environment", () => {
  const env = { NO_COLOR: "1", TERM: "dumb" };
  assert.equal(chooseColor(terminal(env, "none"), { flag: "always", stream }), ANSI);
  assert.equal(chooseColor(terminal({}, stream), { flag: "never", stream }), PLAIN);
});

test("an environment that may not be read is no failure", () => {
  assert.equal(chooseColor(terminal("forbidden", stream), { flag: undefined, stream }), PLAIN);
});
