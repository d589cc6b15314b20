import assert from "node:assert/strict";
import { test } from "node:test";
import type { JsonObject } from "../../../../lib/model/call.ts";
import { readField } from "../../../../lib/policy/compile/input_fields.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";
import { policyOf } from "../../../support/policy.ts";

function firstOf(tool: string, input: JsonObject) {
  return policyOf([]).request({ tool, input }).first;
}

test("the first argument is read in each of its spellings", () => {
  for (const key of ["path", "file_path", "filePath", "notebook_path"]) {
    assert.deepEqual(firstOf("NotebookEdit", { [key]: "a" }), { state: "text", text: "a" });
  }
  assert.deepEqual(firstOf("Read", { notebook_path: "a" }), {
    state: "unknown",
    detail: 'the call has no "path"',
  });
});

test("two spellings of one value are one, of differing values malformed", () => {
  assert.deepEqual(firstOf("Write", { path: "a", filePath: "a" }), { state: "text", text: "a" });
  assert.deepEqual(firstOf("Write", { file_path: "a", filePath: "b" }), {
    state: "unknown",
    detail: '"file_path" and "filePath" differ',
  });
});

test("a first argument that is no string, of no tool, or of an unknown one", () => {
  assert.deepEqual(firstOf("Bash", { command: ["ls"] }), {
    state: "unknown",
    detail: '"command" is not a string',
  });
  assert.deepEqual(firstOf("TodoWrite", { todos: "x" }), { state: "none" });
  assert.deepEqual(firstOf("New", { x: "y" }), {
    state: "unknown",
    detail: "the first argument of New is unknown",
  });
});

test("a field is its text, numbers and booleans as JSON; what cannot be compared says why", () => {
  const request = policyOf([]).request({
    tool: "X",
    input: { a: "x", b: 1e21, c: false, d: null, e: [1], f: {} },
  });
  assert.deepEqual(["a", "b", "c", "d", "e", "f", "g"].map((key) => request.field(key)), [
    { state: "text", text: "x" },
    { state: "text", text: "1e+21" },
    { state: "text", text: "false" },
    { state: "unknown", detail: '"d" is null' },
    { state: "unknown", detail: '"e" is an array' },
    { state: "unknown", detail: '"f" is an object' },
    { state: "missing" },
  ]);
});

test("a dotted path leads into objects, own members only; what leads two ways is unclear", () => {
  const value = (text: string) => ({ state: "value", value: text });
  const missing = { state: "missing" };
  assert.deepEqual(readField({ a: { b: "c" } }, "a.b"), value("c"));
  assert.deepEqual(readField({ "a.b": "d" }, "a.b"), value("d"));
  assert.deepEqual(readField({ a: { b: "d" }, "a.b": "d" }, "a.b"), value("d"));
  assert.deepEqual(readField({ a: { b: "c" }, "a.b": "d" }, "a.b"), {
    state: "unclear",
    detail: '"a.b" appears twice',
  });
  assert.deepEqual(readField({ a: ["x"] }, "a.0"), {
    state: "unclear",
    detail: '"a.0" passes through an array',
  });
  assert.deepEqual(readField({ a: "text" }, "a.length"), missing);
  assert.deepEqual(readField({}, "constructor.name"), missing);
  assert.deepEqual(
    readField(JSON.parse('{"__proto__":{"x":"y"}}'), "__proto__.x"),
    value("y"),
  );
});

/** The members of a profile that are there. */
function membersOf(profile: object): object {
  return JSON.parse(JSON.stringify(profile));
}

test("a policy's [tools.NAME] changes what it names and adds what is new", () => {
  const profiles = toolProfiles(
    new Map([
      ["Write", { kind: "text" as const }],
      ["Query", { firstArg: "q.sql", kind: "command" as const, class: "execute" as const }],
    ]),
  );
  assert.equal(profiles.get("Write").kind, "text");
  assert.ok(profiles.get("Write").firstArg?.includes("file_path"));
  assert.deepEqual(membersOf(profiles.get("Query")), {
    name: "Query",
    firstArg: ["q.sql"],
    kind: "command",
    class: "execute",
    fields: [],
  });
  assert.equal(profiles.has("Bash"), true);
  assert.equal(profiles.has("Nobody"), false);
  assert.deepEqual(membersOf(profiles.get("Nobody")), { name: "Nobody", kind: "text", fields: [] });
  assert.equal(profiles.known.at(-1)?.name, "Query");
});
