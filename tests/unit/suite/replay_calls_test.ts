import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../lib/model/call.ts";
import { readRecorded } from "../../../lib/suite/replay_calls.ts";
import fc from "../../support/seeded.ts";

const INPUT = { command: "git push" };
const CALL = { tool: "Bash", input: INPUT };

/** The calls of a line, without the places that they are from. */
function callsOf(value: JsonObject) {
  const line = readRecorded(value);
  return line.kind === "calls" ? line.calls.map(({ call }) => call) : line.kind;
}

test("a call is read in either spelling, with its folder", () => {
  assert.deepEqual(callsOf({ tool: "Bash", input: INPUT }), [CALL]);
  assert.deepEqual(callsOf({ tool_name: "Bash", tool_input: INPUT, cwd: "/w" }), [{
    ...CALL,
    cwd: "/w",
  }]);
});

test("two spellings that differ are no call", () => {
  assert.equal(callsOf({ tool: "Bash", tool_name: "Read", input: {} }), "bad");
  assert.equal(callsOf({ tool: "Bash", input: INPUT, tool_input: { command: "ls" } }), "bad");
  assert.deepEqual(callsOf({ tool: "Bash", tool_name: "Bash", input: INPUT }), [CALL]);
});

test("of hook events only those before a call count, or it would count twice", () => {
  const event = { session_id: "s", tool_name: "Bash", tool_input: INPUT, cwd: "/w" };
  assert.deepEqual(callsOf({ ...event, hook_event_name: "PreToolUse" }), [{ ...CALL, cwd: "/w" }]);
  for (const name of ["PostToolUse", "PermissionRequest", "AfterTool", "Stop"]) {
    assert.equal(callsOf({ ...event, hook_event_name: name }), "passed");
  }
  assert.equal(callsOf({ hook_event_name: "PreToolUse", tool_input: INPUT }), "bad");
});

test("a transcript gives every tool use of its assistant, and nothing else", () => {
  const use = { type: "tool_use", id: "1", name: "Bash", input: INPUT };
  const line = (content: JsonObject[string]): JsonObject => ({
    type: "assistant",
    cwd: "/w",
    message: { role: "assistant", content },
  });
  const wanted = { ...CALL, cwd: "/w" };
  assert.deepEqual(callsOf(line([{ type: "text", text: "a" }, use, use])), [wanted, wanted]);
  assert.equal(callsOf(line([{ type: "text", text: "a" }])), "passed");
  assert.equal(callsOf(line("text")), "passed");
  assert.equal(callsOf(line([{ ...use, name: 1 }])), "bad");
  assert.equal(callsOf(line([{ ...use, input: [] }])), "bad");
  for (const type of ["user", "summary", "system", "file-history-snapshot"]) {
    assert.equal(callsOf({ type, message: { content: [use] } }), "passed");
  }
});

test("an audit entry says what the rules said", () => {
  const entry = {
    v: 1,
    time: "2026-11-20T08:00:00Z",
    cwd: "/w",
    ...CALL,
    verdict: "ask",
    decision: "deny",
    decidedBy: "headless",
  };
  assert.deepEqual(readRecorded(entry), {
    kind: "calls",
    calls: [{ call: { ...CALL, cwd: "/w" }, from: "audit", verdict: "ask" }],
  });
  assert.equal(callsOf({ ...entry, v: 2 }), "bad");
  assert.equal(callsOf({ ...entry, verdict: "perhaps" }), "bad");
  assert.equal(callsOf({ ...entry, tool: "" }), "bad");
});

test("what is no record of a call is told, not taken for one", () => {
  for (const value of [{}, { foo: 1 }, { input: INPUT }, { type: 3 }]) {
    assert.equal(callsOf(value), "bad");
  }
  assert.equal(callsOf({ tool: "Bash" }), "bad");
  assert.equal(callsOf({ ...CALL, cwd: 3 }), "bad");
  assert.equal(callsOf({ ...CALL, cwd: "" }), "bad");
});

test("any object is read without an error, and every call in it can be judged", () => {
  const names = ["tool", "tool_name", "input", "tool_input", "cwd", "type", "message", "v"];
  const key = fc.constantFrom(...names, "decidedBy", "verdict", "hook_event_name", "content");
  const value = fc.oneof(
    fc.constantFrom("Bash", "assistant", "PreToolUse", "allow", "", "__proto__"),
    fc.jsonValue({ maxDepth: 3 }),
  );
  fc.assert(fc.property(fc.dictionary(key, value), (object) => {
    const line = readRecorded(object as JsonObject);
    if (line.kind === "bad") assert.notEqual(line.detail, "");
    if (line.kind !== "calls") return;
    assert.ok(line.calls.length > 0);
    for (const { call } of line.calls) {
      assert.ok(call.tool !== "" && typeof call.tool === "string");
      assert.ok(typeof call.input === "object" && call.input !== null);
    }
  }));
});
