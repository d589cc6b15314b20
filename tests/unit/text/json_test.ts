import assert from "node:assert/strict";
import { test } from "node:test";
import { defined, isTooDeep, jsonEscaped } from "../../../lib/text/json_value.ts";
import { parseJsonc, readJson } from "../../../lib/text/json.ts";
import { jsonValue, memberOf, shown } from "../../../lib/text/json_node.ts";
import { inOrder, type Problem } from "../../../lib/model/problem.ts";

function faultsOf(problems: readonly Problem[]): readonly string[] {
  return problems.map(({ span, id, message }) => `${span.line}:${span.column} ${id}: ${message}`);
}

test("JSON with comments and trailing commas keeps its values and their places", () => {
  const { root, problems } = parseJsonc(
    '// head\n{"a": [1, -2.5e3, /* two */],\r\n "é": {"b": null, "c": "\\ud800\\n", }, }',
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(jsonValue(root), { a: [1, -2500], é: { b: null, c: "\ud800\n" } });
  const member = memberOf(root, "é");
  assert.deepEqual(member?.key, { start: 40, end: 43, line: 3, column: 2 });
  assert.deepEqual(member?.value.span, { start: 45, end: 75, line: 3, column: 7 });
  assert.equal(member && shown(member), "é: {…}");
});

test("a text that is not JSON has its first fault, with its place", () => {
  const cases = [
    ["", "1:1", "it ends too early"],
    ["{", "1:2", "it ends too early"],
    ["{} {}", "1:4", 'unexpected "{"'],
    ["[,]", "1:2", 'unexpected ","'],
    ["[1 2]", "1:4", 'unexpected "2"'],
    ["[01]", "1:3", 'unexpected "1"'],
    ["[1.]", "1:4", 'unexpected "]"'],
    ["[tru]", "1:2", 'unexpected "t"'],
    ["\ufeff{}", "1:1", 'unexpected "\\uFEFF"'],
    ["{a: 1}", "1:2", 'unexpected "a"'],
    ['{"a" 1}', "1:6", 'unexpected "1"'],
    ["[🦀]", "1:2", 'unexpected "🦀"'],
    ["{} /* x", "1:8", "it ends too early"],
    ['{"a": "x\ty"}', "1:7", "the string has no end, or a character that must be escaped"],
    ['{"a": "\\q"}', "1:7", "the string has no end, or a character that must be escaped"],
    ['\n["x', "2:2", "the string has no end, or a character that must be escaped"],
  ] as const;
  for (const [text, place, detail] of cases) {
    const message = `Cannot read the file as JSON: ${detail}`;
    const { root, problems } = parseJsonc(text);
    assert.deepEqual(faultsOf(problems), [`${place} json-syntax: ${message}`], text);
    assert.deepEqual(jsonValue(root), {});
  }
});

test("strict JSON has no comments and no trailing commas", () => {
  for (const text of ["// x\n{}", "{} /* x */", "[1,]", '{"a": 1,}']) {
    assert.ok(!readJson(text, { syntax: "json" }).ok, text);
    assert.ok(readJson(text, { syntax: "jsonc" }).ok, text);
  }
});

test("length and depth are limited", () => {
  const nested = (depth: number) => "[".repeat(depth) + "]".repeat(depth);
  assert.ok(readJson(nested(64), { syntax: "json" }).ok);
  assert.deepEqual(faultsOf(parseJsonc(nested(100_000)).problems), [
    "1:65 too-large: Cannot read the file as JSON: it is nested deeper than 64",
  ]);
  assert.ok(!readJson("[ ]", { syntax: "json", longest: 2 }).ok);
});

test("each duplicate key is a problem, and the last one counts", () => {
  const { root, problems } = parseJsonc('{"a": 1, "\\u0061": [{"b": 1, "b": 2}], "a": 3}');
  const message = (name: string) =>
    `Cannot read key "${name}": it appears twice, and only one would count`;
  assert.deepEqual(faultsOf(problems), [
    `1:10 json-syntax: ${message("a")}`,
    `1:30 json-syntax: ${message("b")}`,
    `1:40 json-syntax: ${message("a")}`,
  ]);
  assert.deepEqual(jsonValue(root), { a: 3 });
  assert.deepEqual(jsonValue(memberOf(root, "a")!.value), 3);
});

test("a key named __proto__ is a key", () => {
  const { root } = parseJsonc('{"__proto__": {"x": 1}}');
  assert.deepEqual(Object.keys(jsonValue(root) as object), ["__proto__"]);
});

test("problems are in the order of their files and texts", () => {
  const at = (path: string, start: number) => ({
    id: "json-syntax",
    severity: "error",
    message: "",
    path,
    span: { start, end: start, line: 1, column: 1 },
  } as const);
  const problems = [at("b", 2), at("a", 1), at("b", 1), at("c", 0)];
  const places = (each: readonly { path: string; span: { start: number } }[]) =>
    each.map(({ path, span }) => `${path}${span.start}`).join(" ");
  assert.equal(places(inOrder(problems)), "b1 b2 a1 c0");
  assert.equal(places(inOrder(problems, ["a", "b"])), "a1 b1 b2 c0");
});

test("helpers for values", () => {
  assert.deepEqual(Object.entries(defined({ a: 1, b: undefined, c: null })), [["a", 1], [
    "c",
    null,
  ]]);
  assert.equal(jsonEscaped("a🦀"), "\\u0061\\ud83e\\udd80");
  assert.ok(isTooDeep("[".repeat(201)));
  assert.ok(!isTooDeep('"' + "[".repeat(201)));
});
