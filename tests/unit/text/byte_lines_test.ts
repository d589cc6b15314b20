import assert from "node:assert/strict";
import { test } from "node:test";
import { byteLines } from "../../../lib/text/byte_lines.ts";

async function linesOf(
  chunks: readonly string[],
  longest = 5,
): Promise<readonly (string | null)[]> {
  async function* bytes() {
    for (const chunk of chunks) yield new TextEncoder().encode(chunk);
  }
  const lines: (string | null)[] = [];
  for await (const line of byteLines(bytes(), { longest })) {
    lines.push(line === null ? null : new TextDecoder().decode(line));
  }
  return lines;
}

test("lines are the same however a stream is cut, and too long ones are told", async () => {
  const text = "ab\n\nabcde\nabcdef\né\nlast";
  const expected = ["ab", "", "abcde", null, "é", "last"];
  assert.deepEqual(await linesOf([text]), expected);
  assert.deepEqual(await linesOf([...text]), expected);
  assert.deepEqual(await linesOf([text, "\n"]), expected);
  assert.deepEqual(await linesOf([]), []);
});
