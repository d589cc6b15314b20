import assert from "node:assert/strict";
import { test } from "node:test";
import { countParts } from "../../../lib/text/toml_parts.ts";

const CASES: readonly (readonly [text: string, parts: number])[] = [
  ["", 0],
  ["# a = [1, 2]\n", 0],
  ["a = 1\n", 1],
  ["a.b = [1, 2]\n", 4],
  ["[[a.b]]\nc = 1\n", 4],
  ['a = "[,{=.\\"[,"\n', 1],
  ["a = '[,\\'\n", 1],
  ['a = """\n[,"" = \\""" [\n"""\nb = 1\n', 2],
  ["a = '''\n[,'' = \n'''\nb = 1\n", 2],
  // One or two further quotes at the end of a long string are its own, and begin no other that would hide what follows.
  ['a = ["""x"""", [[[[', 7],
  ["a = ['''x''''', [[[[", 7],
  ['a = ["", [[[[', 7],
  ["a = ['', \"\", [[[[", 8],
  ['a = "x # y"[[', 3],
  ['a = "open\nb = [1', 3],
];

test("the parts of a text are its keys, values and tables, not the signs in strings and comments", () => {
  for (const [text, parts] of CASES) assert.deepEqual(countParts(text, 100), { parts }, text);
});

test("behind the part that is one too many nothing is counted", () => {
  assert.deepEqual(countParts("a = [1, 2]\n", 2), { parts: 3, at: 6 });
  assert.deepEqual(countParts("a = [1, 2]\n", 3), { parts: 3 });
  const far = countParts(`a = ${"[".repeat(1_000_000)}`, 10);
  assert.deepEqual(far, { parts: 11, at: 13 });
});
