import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { opinionKey } from "../../../../lib/gate/auto/create_auto_mode.ts";
import { sha256 } from "../../../../lib/io/runtime/runtime_calls.ts";
import type { JsonObject } from "../../../../lib/model/call.ts";
import fc from "../../../support/seeded.ts";

const AROUND = { places: { fingerprint: "/w" }, environment: ["branch = main"] };

function key(input: JsonObject, tool = "Bash") {
  return opinionKey({ tool, input }, { ...AROUND, digest: sha256 });
}

test("a key is the hash of canonical JSON and the tool", async () => {
  const texts: string[] = [];
  const digest = (text: string) => {
    texts.push(text);
    return Promise.resolve("hash");
  };
  const input = { b: 1e21, "€": "\u20ac\n", a: [true, null, 1.0, -0], "\ud83d\ude00": 1 };
  assert.equal(await opinionKey({ tool: "T x", input }, { ...AROUND, digest }), "hash T x");
  // RFC 8785: members by UTF-16 code units, numbers as ECMAScript writes them, as few escapes as can be.
  assert.deepEqual(texts, [
    '{"environment":["branch = main"],"input":{"a":[true,null,1,0],"b":1e+21,"€":"€\\n","😀":1},"places":"/w"}',
  ]);
});

test("the order of members does not matter, everything else does", async () => {
  const same = await key({ a: 1, b: { c: 2, d: 3 } });
  assert.equal(await key({ b: { d: 3, c: 2 }, a: 1 }), same);
  const call = { tool: "Bash", input: { a: 1, b: { c: 2, d: 3 } } };
  const others = [
    await key({ a: 1, b: { c: 2, d: "3" } }),
    await key({ a: 1, b: { c: 2, d: 3 } }, "bash"),
    await opinionKey(call, { ...AROUND, places: { fingerprint: "/x" }, digest: sha256 }),
    await opinionKey(call, { ...AROUND, environment: ["branch = x"], digest: sha256 }),
    await opinionKey(call, { ...AROUND, environment: [], digest: sha256 }),
    await opinionKey(call, { ...AROUND, classes: ["read"], digest: sha256 }),
  ];
  assert.equal(new Set([same, ...others]).size, 7);
});

test("two inputs have one key exactly when they are the same JSON", async () => {
  const input = fc.dictionary(fc.constantFrom("a", "b"), fc.jsonValue({ maxDepth: 2 }), {
    maxKeys: 2,
  });
  await fc.assert(
    fc.asyncProperty(input, input, async (one, other) => {
      const isSame = JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
      assert.equal(await key(one as JsonObject) === await key(other as JsonObject), isSame);
    }),
    { numRuns: 300 },
  );
});

test("what canonical JSON cannot say has no key", async () => {
  const circle: Record<string, unknown> = {};
  circle["self"] = circle;
  for (const value of ["\ud800", NaN, Infinity, 1n, circle]) {
    assert.equal(await key({ value } as unknown as JsonObject), undefined);
  }
  assert.equal(await key({ "\udc00": 1 }), undefined);
});

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== "object" || value === null) return value;
  const entries = Object.entries(value).map(([name, member]) => [name, sorted(member)] as const);
  return { members: entries.toSorted(([one], [other]) => one < other ? -1 : 1) };
}
