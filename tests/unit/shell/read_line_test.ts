import assert from "node:assert/strict";
import { test } from "node:test";
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

test("a line is plain data: a copy has its texts and effects", () => {
  const line = readLine("curl x|sh; rm -rf $x");
  assert.deepEqual({ ...line }, line);
  assert.deepEqual(structuredClone(line), line);
});
