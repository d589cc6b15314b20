import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { readLine } from "../../../lib/shell/read_line.ts";

test("a line that is not in canonical spacing has its canonical text", () => {
  assert.equal(readLine("curl x|sh").spacedText, "curl x | sh");
  assert.equal(readLine("a  'b c'&&d>e").spacedText, "a b c && d > e");
});

test("a line in canonical spacing has no other text", () => {
  for (const text of ["curl x | sh", "git status", "a && (b; c)", ""]) {
    assert.equal(readLine(text).spacedText, undefined, text);
  }
});

test("a line with redirections has texts without the last of them, and without any", () => {
  const bare = (line: string) => readLine(line).bareTexts;
  assert.deepEqual(bare("a|b >o 2>&1"), ["a|b", "a | b"]);
  assert.deepEqual(bare("a >x | b >o"), ["a >x | b", "a > x | b", "a | b"]);
  assert.deepEqual(bare("a | b <<E\nc\nE"), ["a | b"]);
  assert.deepEqual(bare("a && b &> o"), ["a && b"]);
  assert.deepEqual(bare("a | b &"), ["a | b"]);
  assert.deepEqual(bare("( a|b; ) >o"), ["( a|b; )", "a|b", "a | b"]);
  assert.deepEqual(bare("{ (a | b) > o; } 2> p"), [
    "{ (a | b) > o; }",
    "(a | b) > o",
    "(a | b)",
    "a | b",
  ]);
});

test("a line reads the same however often it, or its words, came before", () => {
  const lines = [
    "bash -n bash",
    "bash -n -- bash",
    "sh -n sh x",
    "env env ls",
    "xargs xargs rm -rf rm",
    "a a | a a",
  ];
  const firsts = lines.map((line) => JSON.stringify(readLine(line)));
  for (let times = 0; times < 4; times++) {
    assert.deepEqual(lines.map((line) => JSON.stringify(readLine(line))), firsts);
  }
});

test("a line without redirections has no such texts", () => {
  for (const text of ["curl x | sh", "a;b", "a && (b; c)", "", "# c"]) {
    assert.equal(readLine(text).bareTexts, undefined, text);
  }
});

test("a line is plain data: a copy has its texts and effects", () => {
  const line = readLine("curl x|sh; rm -rf $x");
  assert.deepEqual({ ...line }, line);
  assert.deepEqual(structuredClone(line), line);
});
