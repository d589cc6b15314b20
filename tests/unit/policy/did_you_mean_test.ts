import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { didYouMean, editDistance, nearest } from "../../../lib/text/did_you_mean.ts";

test("insertions, deletions, replacements and swaps count one each", () => {
  const cases = [
    ["", "", 0],
    ["", "abc", 3],
    ["allow", "alow", 1],
    ["deny", "dney", 1],
    ["kitten", "sitting", 3],
    ["ca", "abc", 3],
  ] as const;
  for (const [from, to, distance] of cases) {
    assert.equal(editDistance(from, to), distance, `${from} ${to}`);
  }
});

test("the distance is symmetric, and 0 only between equal words", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", "c"), maxLength: 8 });
  fc.assert(fc.property(word, word, (a, b) => {
    assert.equal(editDistance(a, b), editDistance(b, a));
    assert.equal(editDistance(a, b) === 0, a === b);
    assert.ok(editDistance(a, b) <= Math.max(a.length, b.length));
  }));
});

test("only a near word is offered, whatever its case", () => {
  assert.equal(nearest("ALLOW", ["deny", "ask", "allow"]), "allow");
  assert.equal(nearest("default-mode", ["default_mode", "defaultMode"]), "default_mode");
  assert.equal(nearest("hooks", ["deny", "ask", "allow"]), undefined);
  assert.equal(nearest("a".repeat(10_000), ["a".repeat(10_000)]), undefined);
  assert.equal(didYouMean("dent", ["deny"]), 'Did you mean "deny"?');
  assert.equal(didYouMean("xyz", ["deny"]), undefined);
});
