import assert from "node:assert/strict";
import { test } from "node:test";
import { cases, enough } from "../support/cases.ts";
import { randomFrom } from "../support/random.ts";
import { changedPolicy, checkPair, checkPolicy, newTally, randomPolicy } from "./analysis_brute.ts";
import { WORLDS } from "./analysis_worlds.ts";

// bench/analysis.ts holds 50,000 policies to the same.
for (const world of WORLDS) {
  test(`${world.name}: every answer about a small policy agrees with all calls up to a length`, () => {
    const random = randomFrom(20261122);
    const tally = newTally();
    for (let index = 0; index < cases(8); index++) {
      checkPolicy(randomPolicy(world, random), { world, tally });
    }
    assert.deepEqual(tally.wrong, []);
    assert.ok((tally.answers.get("reach reached") ?? 0) > enough(0));
    assert.ok((tally.answers.get("reach shadowed") ?? 0) > enough(0));
  });

  test(`${world.name}: every difference of two small policies is found, and no other`, () => {
    const random = randomFrom(4711);
    const tally = newTally();
    for (let index = 0; index < cases(8); index++) {
      const old = randomPolicy(world, random);
      checkPair(old, { now: changedPolicy(old, { world, random }), world, tally });
    }
    assert.deepEqual(tally.wrong, []);
    assert.ok((tally.answers.get("diff groups") ?? 0) > enough(0));
  });
}
