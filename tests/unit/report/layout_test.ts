import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import {
  COLUMNS,
  indented,
  labelled,
  paragraph,
  rowsOf,
  wrapped,
} from "../../../lib/report/layout.ts";
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

test("a paragraph is cut to its most lines, and a word that is longer than a line with it", () => {
  const box = { indent: "  ", columns: 8 };
  assert.deepEqual(paragraph("ab cd ef gh", box), ["  ab cd", "  ef gh"]);
  assert.deepEqual(paragraph("ab cd ef gh ij", { ...box, most: 2 }), ["  ab cd", "  ef gh…"]);
  assert.deepEqual(paragraph("abcdefghij", box), ["  abcdefghij"]);
  assert.deepEqual(paragraph("abcdefghij", { ...box, most: 2 }), ["  abcde…"]);
  assert.deepEqual(paragraph("日本語日本語", { ...box, most: 1 }), ["  日本…"]);
  assert.deepEqual(paragraph("", { ...box, most: 1 }), ["  "]);
});

test("a line that is wider than the screen takes several rows", () => {
  assert.equal(rowsOf(["", "a", "12345678"], 8), 3);
  assert.equal(rowsOf(["123456789", "日本語日本"], 8), 4);
  assert.equal(rowsOf(["\ta"], 8), 2);
});
