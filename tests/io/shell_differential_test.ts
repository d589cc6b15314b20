import assert from "node:assert/strict";
import { test } from "node:test";
import { readLine } from "../../lib/shell/read_line.ts";
import { CASES, cases, enough, isThorough, PARTS } from "../support/cases.ts";
import { withBashRecorder, withoutBash } from "../support/bash_recorder.ts";
import { compareWithBash, shrunk } from "../support/shell_differential.ts";
import { randomLine } from "../support/shell_grammar.ts";
import { TRAPS } from "../support/shell_traps.ts";

const LINES = cases(1500);
/** `few` is a part of what all are. */
const SEED = 20261122 + (isThorough ? 0 : CASES.seed % PARTS * LINES);
/** Violations that are cut short for the message. */
const SHOWN = 5;
const read = (line: string) => readLine(line);

test(
  "every program that bash starts is named by a unit of the line, or the line is said to be unknowable",
  { timeout: 120_000, skip: withoutBash() },
  () =>
    withBashRecorder(async (recorder) => {
      const lines = Array.from({ length: LINES }, (_, index) => randomLine(SEED + index));
      const outcome = await compareWithBash(read, recorder, lines);
      const shown = [];
      for (const { line, missed } of outcome.violations.slice(0, SHOWN)) {
        shown.push(await shrunk(read, recorder, line) ?? { line, missed });
      }
      assert.deepEqual(shown, []);
      // Else the property would hold of nothing.
      assert.ok(
        outcome.knowable >= (isThorough ? 0.4 : 0.2) * LINES,
        `${outcome.knowable} of ${LINES} lines are knowable`,
      );
      assert.ok(
        outcome.compared >= enough(1000),
        `${outcome.compared} programs were started by those`,
      );
    }),
);

test(
  "lines that parsers have read wrongly are read as bash does, or said to be unknowable",
  { timeout: 60_000, skip: withoutBash() },
  () =>
    withBashRecorder(async (recorder) => {
      const { violations, started } = await compareWithBash(read, recorder, TRAPS);
      assert.deepEqual(violations, []);
      assert.ok(started >= 100, `${started} programs were started`);
    }),
);

test(
  "what a reading leaves out is found",
  { timeout: 60_000, skip: withoutBash() },
  () =>
    withBashRecorder(async (recorder) => {
      const blind = (line: string) => ({
        effects: [{ kind: "command", name: line.split(" ")[0] }],
      });
      const lines = ["p1 a", "d/p2 a | p16 || zz", "p3 $(p4 a b c)", "p5 'p6' &"];
      const { violations, started, compared } = await compareWithBash(blind, recorder, lines);
      assert.deepEqual(violations, [
        { line: "d/p2 a | p16 || zz", missed: ["p16", "zz"] },
        { line: "p3 $(p4 a b c)", missed: ["p4"] },
      ]);
      assert.deepEqual({ started, compared }, { started: 7, compared: 7 });
      const least = await shrunk(blind, recorder, "p3 $(p4 a b c)");
      assert.ok(least && least.line.length <= 6, JSON.stringify(least));
    }),
);
