import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { COLUMNS, indented, labelled, wrapped } from "../../../lib/report/layout.ts";
import { textWidth } from "../../../lib/text/visible.ts";

const ERROR = { text: "error:", painted: "error:", indent: 7 };

test("lines break at blanks, and a word that is too long stays whole", () => {
  assert.deepEqual(wrapped("ab cd efghij k", 5), ["ab cd", "efghij", "k"]);
  assert.deepEqual(wrapped("", 5), [""]);
  assert.deepEqual(indented("a b", "  "), ["  a b"]);
});

test("what stands in double quotes stays whole behind a label, and a lone quote holds nothing", () => {
  const path = `"/${"a b".repeat(30)}"`;
  assert.deepEqual(labelled(`Cannot read ${path}: it is gone`, ERROR), [
    "error: Cannot read",
    `       ${path}:`,
    "       it is gone",
  ]);
  const words = Array.from({ length: 30 }, () => "abc");
  assert.ok(labelled(`a " ${words.join(" ")}`, ERROR).every((line) => line.length <= COLUMNS));
});

test("a label that fills the line has the sentence below it", () => {
  const text = `/${"x".repeat(90)}:1:2: error:`;
  assert.deepEqual(labelled("a b", { text, painted: text, indent: 7 }), [text, "       a b"]);
});

test("a label's colours take no column", () => {
  const sentence = "word ".repeat(40).trim();
  const painted = labelled(sentence, { ...ERROR, painted: "\x1b[31merror:\x1b[39m" });
  assert.deepEqual(
    painted.map((line) => line.replace("\x1b[31m", "").replace("\x1b[39m", "")),
    labelled(sentence, ERROR),
  );
});

test("no text loses a word, and a line is too long only for one word", () => {
  const word = fc.string({ unit: fc.constantFrom("a", "b", ":", "漢", '"'), maxLength: 30 });
  fc.assert(fc.property(fc.array(word), fc.integer({ min: 1, max: 100 }), (words, columns) => {
    const text = words.join(" ");
    const lines = wrapped(text, columns);
    assert.equal(lines.join(" "), text);
    for (const line of lines) assert.ok(textWidth(line) <= columns || !line.includes(" "), line);
    const below = labelled(text, ERROR);
    const whole = below.map((line) => line.slice(ERROR.indent)).join(" ");
    assert.equal(whole.trimEnd(), text.trimEnd());
  }));
});
