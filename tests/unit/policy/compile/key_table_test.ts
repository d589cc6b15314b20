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
    table.entry(hash).places.push(at);
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
  const [one, two, three] = [1, 2, 3].map((hash) => table.entry(hash));
  for (const entry of [one!, two!, three!]) entry.places.push(entry === one ? 0 : 1);
  const keys = new FoundKeys();
  for (const entry of [undefined, table.entry(4), one, two, one, two, three]) keys.add(entry);
  assert.deepEqual([keys.first, keys.more], [one, [two, three]]);
  const all = new FoundKeys();
  all.addAll(new FoundKeys());
  assert.equal(all.first, undefined);
  all.addAll(keys);
  assert.deepEqual([all.first, all.more], [one, [two, three]]);
});
