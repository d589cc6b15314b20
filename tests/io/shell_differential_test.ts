import assert from "node:assert/strict";
import { test } from "node:test";
import "../../lib/shell/parse/loaded_parser.ts";
import corpus from "../cases/shell/corpus/attacks_shells.json" with { type: "json" };
import { CASES, cases, enough, isThorough, PARTS } from "../support/cases.ts";
import { compareWithShell, readerFor, shrunk } from "../support/shell_differential.ts";
import { randomLine } from "../support/shell_grammar.ts";
import { type RealShell, withoutShell, withShellRecorder } from "../support/shell_recorder.ts";
import { runsPayload } from "../support/shell_payload.ts";
import { TRAPS } from "../support/shell_traps.ts";

const SHELLS: readonly RealShell[] = ["bash", "zsh", "dash", "busybox"];
const LINES = CASES.amount === "all" ? 20_000 : cases(1000);
/** `few` is a part of what all are. */
const SEED = 20261122 + (isThorough ? 0 : CASES.seed % PARTS * LINES);
/** Violations that are cut short for the message. */
const SHOWN = 5;
/** The least share of lines that the reading takes for known; most lines have something that `sh` lacks. */
const KNOWN = { bash: 0.4, zsh: 0.2, dash: 0.1, busybox: 0.1 };

for (const shell of SHELLS) {
  const read = readerFor(shell);

  test(
    `every program that ${shell} starts is named by a unit of the line, or the line is said to be unknowable`,
    { timeout: 1_200_000, skip: withoutShell(shell) },
    () =>
      withShellRecorder(shell, async (recorder) => {
        const dialect = shell === "bash" ? "bash" : "mixed";
        const lines = Array.from(
          { length: LINES },
          (_, index) => randomLine(SEED + index, dialect),
        );
        const outcome = await compareWithShell(read, recorder, lines);
        const shown = [];
        for (const { line, missed } of outcome.violations.slice(0, SHOWN)) {
          shown.push(await shrunk(read, recorder, line) ?? { line, missed });
        }
        assert.deepEqual(shown, []);
        // Else the property would hold of nothing.
        assert.ok(
          outcome.knowable >= KNOWN[shell] * (isThorough ? 1 : 0.5) * LINES,
          `${outcome.knowable} of ${LINES} lines are knowable`,
        );
        assert.ok(
          outcome.compared >= enough(KNOWN[shell] * 1000),
          `${outcome.compared} programs were started by those`,
        );
      }),
  );

  test(
    `lines that parsers have read wrongly are read as ${shell} does, or said to be unknowable`,
    { timeout: 60_000, skip: withoutShell(shell) },
    () =>
      withShellRecorder(shell, async (recorder) => {
        const { violations, started } = await compareWithShell(read, recorder, TRAPS);
        assert.deepEqual(violations, []);
        assert.ok(started >= 90, `${started} programs were started`);
      }),
  );
}

test(
  "what a reading leaves out is found",
  { timeout: 60_000, skip: withoutShell("bash") },
  () =>
    withShellRecorder("bash", async (recorder) => {
      const blind = (line: string) => ({
        effects: [{ kind: "command", name: line.split(" ")[0] }],
      });
      const lines = ["p1 a", "d/p2 a | p16 || zz", "p3 $(p4 a b c)", "p5 'p6' &"];
      const { violations, started, compared } = await compareWithShell(blind, recorder, lines);
      assert.deepEqual(violations, [
        { line: "d/p2 a | p16 || zz", missed: ["p16", "zz"] },
        { line: "p3 $(p4 a b c)", missed: ["p4"] },
      ]);
      assert.deepEqual({ started, compared }, { started: 7, compared: 7 });
      const least = await shrunk(blind, recorder, "p3 $(p4 a b c)");
      assert.ok(least && least.line.length <= 6, JSON.stringify(least));
    }),
);

for (const shell of ["zsh", "dash", "busybox"] as const) {
  test(
    `${shell} runs the payload of each line that the corpus says it runs`,
    { timeout: 60_000, skip: withoutShell(shell) },
    () => {
      const lines = corpus.cases.filter((each) => each.runs_payload_in === shell);
      assert.ok(lines.length > 0);
      assert.deepEqual(lines.filter((each) => !runsPayload(shell, each)), []);
    },
  );
}
