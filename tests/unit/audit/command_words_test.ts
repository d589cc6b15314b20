import assert from "node:assert/strict";
import { test } from "node:test";
import { pipelinesOf, unquoted } from "../../../lib/audit/command_words.ts";

/** Texts, and their pipelines with the words of each command; a here-string is in angle brackets. */
const LINES: readonly (readonly [text: string, pipelines: readonly (readonly string[])[]])[] = [
  ["", []],
  [" \t\r", []],
  ["a b", [["a b"]]],
  ["a | b |& c", [["a", "b", "c"]]],
  ["a; b && c || d & e\nf", [["a"], ["b"], ["c"], ["d"], ["e"], ["f"]]],
  ["(a) { b; } `c` $(d)", [["a"], ["b"], ["c"], ["d"]]],
  ["| a | ; b", [["a"], ["b"]]],
  // The words of redirections are left out, with the descriptor in front of them.
  ["a > f b", [["a b"]]],
  ["a 2>&1 b", [["a b"]]],
  ["a 2>f<g >>h <>i >|j b", [["a b"]]],
  ["a << E b <<-F c", [["a b c"]]],
  ["a >f\nb", [["a"], ["b"]]],
  ["a > ; b", [["a"], ["b"]]],
  ["a > | b", [["a", "b"]]],
  ["a <<< b c", [["a <b> c"]]],
  ["a <<<b > c d", [["a <b> d"]]],
  // Pieces with and without quotes are one word, and quotes end with the text.
  [`a'b c'"d e"f\\ g h`, [["ab cd ef g h"]]],
  [`a "b; c`, [["a b; c"]]],
  ["a 'b | c", [["a b | c"]]],
  ["a\\\nb $x ${y}", [["ab $x $"], ["y"]]],
  ["a \\", [["a \\"]]],
];

for (const [text, pipelines] of LINES) {
  test(`words of ${JSON.stringify(text)}`, () => {
    const found = pipelinesOf(text).map((pipeline) =>
      pipeline.map((words) =>
        words.map((word) => word.isHereString ? `<${word.text}>` : word.text).join(" ")
      )
    );
    assert.deepEqual(found, pipelines);
  });
}

test("a word has its place in the text", () => {
  const text = `a  'b c'd >f "e`;
  const words = pipelinesOf(text).flat(2).map(({ start, end }) => text.slice(start, end));
  assert.deepEqual(words, ["a", "'b c'd", '"e']);
});

const PIECES: readonly (readonly [piece: string, text: string])[] = [
  ["", ""],
  ["a", "a"],
  ["'a b'", "a b"],
  ["'a\\b'", "a\\b"],
  ["'a", "a"],
  ["'", ""],
  ["''", ""],
  ['"a b"', "a b"],
  ['"a', "a"],
  ['"', ""],
  ['""', ""],
  ['"a\\"b\\\\"', 'a"b\\'],
  ["a\\ b", "a b"],
  ["a\\\nb", "ab"],
  ['"a\\\nb"', "ab"],
  ["a'", "a'"],
  ['a"', 'a"'],
];

test("a piece without its quotes, whether they are closed or not", () => {
  for (const [piece, text] of PIECES) assert.equal(unquoted(piece), text, piece);
});
