import assert from "node:assert/strict";
import { test } from "node:test";
import { frozenJson } from "../../../lib/gate/frozen_json.ts";

/** An object whose members lead back to it: a list of two first, so that its ways double at each level. */
function circle(): Record<string, unknown> {
  const own: Record<string, unknown> = {};
  return Object.assign(own, { pair: [own, own], one: own });
}

function nested(levels: number): unknown {
  return levels === 0 ? 1 : { a: nested(levels - 1) };
}

test("JSON is copied and frozen at every level, a part that stands twice once", () => {
  const part = { a: [1] };
  const copy = frozenJson({ one: part, other: part, none: undefined }) as Record<string, object>;
  assert.deepEqual(copy, { one: { a: [1] }, other: { a: [1] } });
  assert.equal(copy["one"], copy["other"]);
  assert.notEqual(copy["one"], part);
  for (const each of [copy, copy["one"]!, (copy["one"] as { a: object }).a]) {
    assert.ok(Object.isFrozen(each));
  }
});

test("what is no JSON is none, and that is known at once", () => {
  const none: readonly unknown[] = [
    undefined,
    NaN,
    Infinity,
    1n,
    Symbol(),
    () => 1,
    new Date(),
    new Map(),
    [undefined],
    { a: { b: new Set() } },
    circle(),
    { a: circle() },
    nested(5_000),
  ];
  for (const each of none) assert.equal(frozenJson(each), undefined);
  for (const each of [null, "", 0, false, [], {}, nested(10)]) {
    assert.deepEqual(frozenJson(each), each);
  }
});
