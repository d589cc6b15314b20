import assert from "node:assert/strict";
import { test } from "node:test";
import { printedJson } from "../../../lib/text/printed_json.ts";
import fc from "../../support/seeded.ts";

const HIDDEN = /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]/u;

test("C1 controls, bidi marks and invisible characters are escaped", () => {
  const value = { "a\u202e": "\u009b31m\u2028\u200b\ufeff\u{e0041}\u00a0\n\u001b" };
  assert.equal(
    printedJson(value),
    '{"a\\u202e":"\\u009b31m\\u2028\\u200b\\ufeff\\udb40\\udc41\\u00a0\\n\\u001b"}',
  );
});

test("every value reads back as it was, and no character of it is hidden", () => {
  const texts = fc.oneof(
    fc.string({ unit: "binary" }),
    fc.constantFrom("\u009b", "\u2066x", "é漢"),
  );
  const values = fc.oneof(fc.jsonValue(), fc.dictionary(texts, texts));
  fc.assert(fc.property(values, fc.constantFrom(0, 2), (value, indent) => {
    const text = printedJson(value, { indent });
    assert.deepEqual(JSON.parse(text), JSON.parse(JSON.stringify(value)));
    assert.doesNotMatch(indent === 0 ? text : text.replaceAll("\n", ""), HIDDEN);
  }));
});
