import assert from "node:assert/strict";
import { test } from "node:test";
import { Removals } from "../../../lib/audit/take_out.ts";

/** Texts that are to stand nowhere, a text, and what is left of it. */
const CASES: readonly (readonly [texts: readonly string[], text: string, left: string])[] = [
  [[], "a b", "a b"],
  [["hunter2"], "a hunter2 b hunter2", "a # b #"],
  [["hunter2"], "hunter2hunter2x", "##x"],
  [["abc"], "abc", "abc"],
  [["abcd"], "abcd", "#"],
  [["abcd", "abcdef"], "abcdefg abcde", "#g #e"],
  [["abcdef", "abcd"], "abcdefg abcde", "#g #e"],
  [["abcd", "abxy", "abcx"], "abxy abcx abcy", "# # abcy"],
  // Quotes, backslashes and the size of blanks do not matter, on either side.
  [["\"hun\"'ter2'"], "a hunter2", "a #"],
  [["hunter2"], `a "hun"ter\\2' b`, `a "#' b`],
  [["my  secret\nword"], "a my secret word b", "a # b"],
  [["my secret"], "  a my \t\n secret b", "  a # b"],
  [[" lead7 "], "a lead7b", "a #b"],
  // A piece in front of a mask counts by itself.
  [["user:[masked]hunter2"], "user: hunter2 user:", "# # #"],
  // Other spellings: decoded, and as URLs and JSON write them.
  [["pa%7css"], "pa|ss", "#"],
  [["pa%zzss"], "pa%zzss", "#"],
  [["pa|s/s?"], "pa%7Cs%2Fs%3F pa%7Cs/s?", "# #"],
  [["one\\ntwo7"], "one two7", "#"],
  [["one\\ttwo7"], "one two7", "#"],
  [["one\\rtwo7"], "one two7", "#"],
  [["hun\\\nter2"], "hunter2 hun\\\nter2", "# #"],
  [["me:hunter2"], "hunter2 me:", "# me:"],
  [["me%hunter2"], "hunter2", "#"],
  [["-----BEGIN-----\n  lineOne\nline2"], "x lineOne y line2", "x # y #"],
  // The beginning of one in front of a cut.
  [["hunter2hunter2"], "a hunter2…", "a #…"],
  [["hunter2hunter2"], "a hunt…r2", "a #…r2"],
  [["hunter2hunter2"], "a hun…", "a hun…"],
  [["hunter2hunter2"], "a huntx…", "a huntx…"],
  [[`h${"0".repeat(300)}`], `h${"0".repeat(199)}…`, "#…"],
  [[`h${"0".repeat(300)}`], `h${"0".repeat(200)}…`, `h${"0".repeat(200)}…`],
];

for (const [texts, text, left] of CASES) {
  test(`without ${JSON.stringify(texts).slice(0, 40)}: ${JSON.stringify(left).slice(0, 40)}`, () => {
    const removals = new Removals("#");
    for (const each of texts) removals.add(each);
    assert.equal(removals.from(text), left);
  });
}

test("with more texts than are looked for nothing is kept", () => {
  const removals = new Removals("#");
  for (let count = 0; count < 5000; count++) removals.add(`secret${count}`);
  assert.equal(removals.from("plain"), "plain");
  removals.add("onemore");
  assert.equal(removals.from("plain"), "#");
});
