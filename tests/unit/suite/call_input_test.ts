import assert from "node:assert/strict";
import { test } from "node:test";
import { callInput } from "../../../lib/suite/test_call.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(
  new Map([["mcp__db__query", { firstArg: "query.sql", kind: "text" }]]),
);

const READ: readonly (readonly [tool: string, text: string, input: unknown])[] = [
  ["Bash", "git push", { command: "git push" }],
  ["Bash", "", { command: "" }],
  ["Bash", "{ ls; }", { command: "{ ls; }" }],
  ["Bash", "[1]", { command: "[1]" }],
  ["Bash", " x", { command: " x" }],
  ["Bash", "{}", {}],
  ["Write", '{"path": "a", "content": "{\\"["}', { path: "a", content: '{"[' }],
  ["mcp__db__query", "select 1", { query: { sql: "select 1" } }],
  ["mcp__x__y", ' { "a" : [1, null] }', { a: [1, null] }],
  ["TodoWrite", '{"todos":[]}', { todos: [] }],
];

for (const [tool, text, input] of READ) {
  test(`the input of ${tool} that is written ${JSON.stringify(text)}`, () => {
    assert.deepEqual(callInput(text, profiles.get(tool)), { ok: true, input });
  });
}

const REFUSED: readonly (readonly [tool: string, text: string, detail: RegExp])[] = [
  ["mcp__x__y", "text", /of mcp__x__y: its first argument is unknown/],
  ["TodoWrite", "text", /of TodoWrite: it has none/],
  ["Bash", '{"command": ', /looks like JSON/],
  ["Bash", `{"a":${"[".repeat(200)}${"]".repeat(200)}}`, /deeper than 200/],
  ["Bash", `{"a":${"[".repeat(40_000)}`, /deeper than 200/],
];

for (const [tool, text, detail] of REFUSED) {
  test(`no input of ${tool} is ${JSON.stringify(text.slice(0, 20))}`, () => {
    const read = callInput(text, profiles.get(tool));
    assert.ok(!read.ok);
    assert.match(read.detail, detail);
  });
}

test("brackets in the strings of JSON are no depth", () => {
  const read = callInput(JSON.stringify({ content: `"${"[".repeat(500)}` }), profiles.get("Write"));
  assert.ok(read.ok);
});
