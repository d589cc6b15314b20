import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { visible } from "../../../lib/text/visible.ts";

const CASES: readonly (readonly [string, string])[] = [
  ["git push", "git push"],
  ["é 漢 👍 ~\\n", "é 漢 👍 ~\\n"],
  ["a\tb\nc\rd\0", "a\\u{9}b\\u{a}c\\u{d}d\\u{0}"],
  ["\x1b[2J\x7f\x9b", "\\u{1b}[2J\\u{7f}\\u{9b}"],
  ["\u202egpj.exe\u2066\u200f", "\\u{202e}gpj.exe\\u{2066}\\u{200f}"],
  ["a\u200bb\u200dc\ufeffd\u00ade", "a\\u{200b}b\\u{200d}c\\u{feff}d\\u{ad}e"],
  ["\u{e0041}\u{fe0f}\u3164", "\\u{e0041}\\u{fe0f}\\u{3164}"],
  ["rm\u00a0x\u3000\u2800\u2028", "rm\\u{a0}x\\u{3000}\\u{2800}\\u{2028}"],
  ["\ud800x\udc00", "\\u{d800}x\\u{dc00}"],
];

for (const [text, shown] of CASES) {
  test(`a text is shown as ${shown}`, () => assert.equal(visible(text), shown));
}

test("what is shown holds nothing hidden, and showing it again changes nothing", () => {
  fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => {
    const shown = visible(text);
    assert.doesNotMatch(shown, /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u);
    assert.ok(shown.isWellFormed());
    assert.equal(visible(shown), shown);
  }));
});
