import assert from "node:assert/strict";
import { test } from "node:test";
import { hasRepeatedName } from "../../../lib/text/json_names.ts";
import type { Json } from "../../../lib/model/call.ts";
import fc from "../../support/seeded.ts";

function isRepeated(text: string): boolean {
  const value: Json = JSON.parse(text);
  return hasRepeatedName(text, value);
}

test("what JSON.stringify writes has no name twice", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.constantFrom(0, 2, "\t"), (value, space) => {
    assert.equal(isRepeated(JSON.stringify(value, null, space)), false);
  }));
});

test("a name that is written twice is found, wherever it stands", () => {
  fc.assert(fc.property(fc.jsonValue(), fc.jsonValue(), fc.string(), (one, other, name) => {
    const key = JSON.stringify(name);
    const twice = `{${key}:${JSON.stringify(one)}, ${key} :${JSON.stringify(other)}}`;
    for (const text of [twice, `[1, ${twice}]`, `{"a": {"b": ${twice}}}`]) {
      assert.equal(isRepeated(text), true, text);
    }
  }));
});

test("a colon, a quote or a name in a text is none", () => {
  for (const blank of [" ", "\t", "\n", "\r", "\r\n "]) {
    assert.equal(isRepeated(`{"a"${blank}:${blank}1}`), false);
    assert.equal(isRepeated(`{"a"${blank}:1,"a"${blank}:2}`), true);
  }
  for (const text of ['["]", "[", {"a]":1}]', '{"a\\\\":{"]":null}}']) {
    assert.equal(isRepeated(text), false, text);
  }
  for (const text of ['{"a":"b\\": c"}', '["a", "a", ":"]', '{"a\\\\":"\\"a\\":"}', '"a"', "{}"]) {
    assert.equal(isRepeated(text), false, text);
  }
  assert.equal(isRepeated('{"__proto__":1,"__proto__":2}'), true);
  assert.equal(isRepeated('{"__proto__":{"a":1}}'), false);
  assert.equal(isRepeated('{"a":1,"\\u0061":2}'), true);
});
