import assert from "node:assert/strict";
import { test } from "node:test";
import { FoundKeys, KeyTable } from "../../../../lib/policy/compile/index/key_table.ts";
import { randomFrom } from "../../../support/random.ts";

test("a table finds every entry by its hash, and no other", () => {
  const random = randomFrom(7);
  const table = new KeyTable();
  const known = new Map<number, number>();
  for (let at = 0; at < 3_000; at++) {
    // Many share their last bits, and so their slot.
    const hash = random.below(2) === 0 ? random.below(1 << 30) | 0 : random.below(64) << 20;
    table.add(hash, at);
    known.set(hash, (known.get(hash) ?? 0) + 1);
  }
  assert.equal(table.size, known.size);
  for (const [hash, count] of known) assert.equal(table.get(hash)?.places.length, count);
  for (let at = 0; at < 3_000; at++) {
    const hash = ~random.below(1 << 30);
    assert.equal(table.get(hash)?.places.length, known.get(hash));
  }
  assert.equal(new KeyTable().get(0), undefined);
});

test("found keys are kept once, without those that have no rules", () => {
  const table = new KeyTable();
  const [one, two, three] = [1, 2, 3].map((hash) => {
    table.add(hash, hash === 1 ? 0 : 1);
    return table.get(hash);
  });
  table.lengthen(4, 9);
  const keys = new FoundKeys();
  for (const entry of [undefined, table.get(4), one, two, one, two, three]) keys.add(entry);
  assert.deepEqual([keys.first, keys.more], [one, [two, three]]);
  const all = new FoundKeys();
  all.addAll(new FoundKeys());
  assert.equal(all.first, undefined);
  all.addAll(keys);
  assert.deepEqual([all.first, all.more], [one, [two, three]]);
});

test("a word keeps the length of the longest key that begins with it, and its rules", () => {
  const table = new KeyTable(2);
  table.lengthen(7, 9);
  table.lengthen(7, 4);
  table.add(8, 1);
  table.lengthen(8, 5);
  table.add(7, 2);
  table.add(7, 3);
  assert.deepEqual([7, 8].map((hash) => table.get(hash)), [
    { places: [2, 3], longest: 9, merged: undefined },
    { places: [1], longest: 5, merged: undefined },
  ]);
});
