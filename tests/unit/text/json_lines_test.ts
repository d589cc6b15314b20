import assert from "node:assert/strict";
import { test } from "node:test";
import { jsonLine, jsonLines, type Line } from "../../../lib/text/json_lines.ts";
import { isTooDeep, MAX_DEPTH } from "../../../lib/text/json_value.ts";
import fc from "../../support/seeded.ts";

const encoder = new TextEncoder();

/** Lines of which each is read in another way. */
const LINES: readonly (string | Uint8Array)[] = [
  "",
  " \t\r",
  '{"a": 1}',
  '{"a": "é🦀\\n"}\r',
  '\ufeff{"a": 2}',
  "\ufeff",
  '\ufeff\ufeff{"a": 3}',
  "[1]",
  '"x"',
  "{",
  '{"a": "\u2028"}',
  `${"[".repeat(MAX_DEPTH + 1)}${"]".repeat(MAX_DEPTH + 1)}`,
  Uint8Array.of(0x7b, 0xff, 0x7d),
  Uint8Array.of(0xc3),
  Uint8Array.of(0xef, 0xbb),
];

async function linesOf(chunks: readonly Uint8Array[]): Promise<readonly Line[]> {
  async function* stream() {
    yield* chunks;
  }
  return await Array.fromAsync(jsonLines(stream()));
}

test("each line of a stream is read as it is alone, however the stream is cut", async () => {
  const given = fc.record({
    lines: fc.array(fc.constantFrom(...LINES), { maxLength: 8 }),
    cuts: fc.array(fc.nat(400), { maxLength: 4 }),
    hasEnd: fc.boolean(),
  });
  await fc.assert(fc.asyncProperty(given, async ({ lines, cuts, hasEnd }) => {
    const bytes = lines.map((line) => typeof line === "string" ? encoder.encode(line) : line);
    const whole = Uint8Array.from(
      bytes.flatMap((line, index) => index === 0 ? [...line] : [0x0a, ...line])
        .concat(hasEnd ? [0x0a] : []),
    );
    const at = [0, ...cuts.toSorted((one, other) => one - other), whole.length];
    const chunks = at.slice(1).map((end, index) => whole.slice(at[index], end));
    const expected = bytes.flatMap((line, index) => jsonLine(line, index + 1) ?? []);
    assert.deepEqual(await linesOf(chunks), expected);
  }));
});

test("a text is too deep by its brackets outside of strings", () => {
  const open = (count: number) => "[{".repeat(count / 2);
  assert.equal(isTooDeep(open(MAX_DEPTH)), false);
  assert.equal(isTooDeep(`${open(MAX_DEPTH)}[`), true);
  assert.equal(isTooDeep(`${open(MAX_DEPTH)}{`), true);
  assert.equal(isTooDeep("{".repeat(MAX_DEPTH + 1)), true);
  assert.equal(isTooDeep("[".repeat(MAX_DEPTH)), false);
  assert.equal(isTooDeep("[]".repeat(MAX_DEPTH * 2)), false);
  assert.equal(isTooDeep(`"${"[".repeat(MAX_DEPTH * 2)}"`), false);
  assert.equal(isTooDeep(`["${"[{".repeat(MAX_DEPTH)}"${"[".repeat(MAX_DEPTH)}`), true);
});
