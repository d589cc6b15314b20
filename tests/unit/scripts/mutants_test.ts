import assert from "node:assert/strict";
import { test } from "node:test";
import type { Numbered } from "../../../scripts/mutants/instrument.ts";
import { outcomeOf, type Trial } from "../../../scripts/mutants/outcome.ts";
import { failing, junit, rowOf } from "../../../scripts/mutants/report.ts";

const MUTANT: Numbered = {
  file: "lib/x.ts",
  line: 1,
  code: "a < b",
  change: "a < b -> a <= b",
  operator: "swap comparison",
  kind: "choice",
  start: 0,
  end: 5,
  text: "a <= b",
  rank: 1,
  id: 1,
};

function states(trial: Trial) {
  return [true, false].map((isSample) => outcomeOf(MUTANT, trial, isSample).state);
}

test("a mutant is live when every test had run; its own bound makes it live but in a sample, and the end of the run never", () => {
  assert.deepEqual(states({ by: "x|y", bound: null }), ["noticed", "noticed"]);
  assert.deepEqual(states({ by: null, bound: null }), ["live", "live"]);
  assert.deepEqual(states({ by: null, bound: "its own bound" }), ["undecided", "live"]);
  assert.deepEqual(states({ by: null, bound: "the end of the run" }), ["undecided", "undecided"]);
  const { note } = outcomeOf(MUTANT, { by: null, bound: "its own bound" }, false);
  assert.equal(note, "its own bound came before every test had run");
});

/** A row of so many mutants. */
function row(room: string, noticed: number, live: number, undecided = 0) {
  const of = (count: number, trial: Trial) =>
    Array.from({ length: count }, () => outcomeOf(MUTANT, trial, true));
  return rowOf(room, [
    ...of(noticed, { by: "x|y", bound: null }),
    ...of(live, { by: null, bound: null }),
    ...of(undecided, { by: null, bound: "its own bound" }),
  ], 0);
}

test("each room of a whole run fails below nine tenths of its decided mutants", () => {
  const rows = [row("a", 9, 1, 50), row("b", 89, 11), row("c", 1, 1), row("d", 0, 0, 5)];
  assert.deepEqual(failing(rows, false).map(({ room }) => room), ["b", "c"]);
});

test("the rooms of a sample fail together, and not by fewer than ten decided mutants", () => {
  const rooms = (...rows: readonly ReturnType<typeof row>[]) =>
    failing(rows, true).map(({ room }) => room);
  assert.deepEqual(rooms(row("a", 2, 2, 16)), []);
  assert.deepEqual(rooms(row("a", 5, 4)), []);
  assert.deepEqual(rooms(row("a", 5, 5)), ["a"]);
  assert.deepEqual(rooms(row("a", 5, 2), row("b", 3, 0)), ["a"]);
  assert.deepEqual(rooms(row("a", 17, 2), row("b", 1, 0)), []);
});

test("the report of a run has a failure for each room that fails", () => {
  const rows = [row("a", 8, 2), row("b", 10, 0)];
  assert.equal(
    junit(rows, false),
    '<testsuites tests="2" failures="1" errors="0"><testcase name="mutants of lib/a"><failure>' +
      "lib/x.ts:1 a &lt; b -&gt; a &lt;= b\nlib/x.ts:1 a &lt; b -&gt; a &lt;= b" +
      '</failure></testcase><testcase name="mutants of lib/b"/></testsuites>\n',
  );
  assert.match(junit([row("a", 2, 2)], true), /failures="0"/);
});
