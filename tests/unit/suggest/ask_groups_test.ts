import assert from "node:assert/strict";
import { test } from "node:test";
import { AskGroups, type PatternChoice } from "../../../lib/suggest/ask_groups.ts";
import { KeptCalls } from "../../../lib/suggest/recorded_calls.ts";

const call = (at: number) => ({ tool: "Bash", input: { command: `git push ${at}` } });

function push(at: number): readonly PatternChoice[] {
  return [{
    patterns: [
      { pattern: `Bash:git push ${at}`, kind: "literal" },
      { pattern: "Bash(git push:*)", kind: "prefix" },
    ],
  }];
}

const npm = (at: number): readonly PatternChoice[] => [{
  patterns: [{ pattern: `Bash:npm run ${at}`, kind: "literal" }],
}];

test("asks that the same rules answer are counted together, with a few examples", () => {
  const groups = new AskGroups();
  for (let at = 0; at < 9; at++) groups.add(push(1), call(at));
  groups.add(npm(1), call(0));
  const [first, second] = groups.groups;
  assert.deepEqual([first?.count, first?.examples.length, first?.kinds], [9, 3, 1]);
  assert.equal(second?.count, 1);
  assert.deepEqual([groups.dropped, groups.folded], [0, 0]);
});

test("with too many groups the rare ones lose what they have to the letter, and none is lost", () => {
  const groups = new AskGroups({ most: 100 });
  for (let at = 0; at < 5_000; at++) groups.add(push(at % 2_000), call(at));
  for (let at = 0; at < 50; at++) groups.add(push(7), call(7));
  assert.ok(groups.groups.length <= 100);
  assert.ok(groups.folded > 0);
  assert.equal(groups.dropped, 0);
  assert.equal(groups.groups.reduce((sum, { count }) => sum + count, 0), 5_050);
  const folded = groups.groups.find(({ kinds }) => kinds > 1);
  assert.deepEqual(folded?.choices, [{
    patterns: [{ pattern: "Bash(git push:*)", kind: "prefix" }],
  }]);
});

test("what has nothing but its letters is dropped and counted", () => {
  const groups = new AskGroups({ most: 100 });
  for (let round = 0; round < 20; round++) {
    groups.add(npm(-1), call(0));
    for (let at = 0; at < 100; at++) groups.add(npm(round * 100 + at), call(at));
  }
  assert.ok(groups.groups.length <= 100);
  const kept = groups.groups.reduce((sum, { count }) => sum + count, 0);
  assert.equal(kept + groups.dropped, 2_020);
  // A group that comes again and again stays.
  assert.deepEqual(groups.groups[0]?.choices, npm(-1));
});

test("calls of a stream are kept up to a bound, each once with its number", () => {
  const kept = new KeptCalls({ most: 2 });
  for (const at of [1, 2, 1, 3, 2, 1]) kept.add({ call: call(at) });
  assert.deepEqual(
    [...kept.calls].map(({ call: { input }, times }) => [input.command, times]),
    [["git push 1", 3], ["git push 2", 2]],
  );
  assert.equal(kept.cut, 1);
});
