import assert from "node:assert/strict";
import { test } from "node:test";
import { CASES, cases, enough } from "../support/cases.ts";
import { randomFileLine } from "../support/shell_files.ts";
import { filesOpened, type Opening, openings, withoutWatch } from "../support/shell_opened.ts";
import type { RealShell } from "../support/shell_recorder.ts";

const SHELLS: readonly RealShell[] = ["bash", "zsh", "dash", "busybox"];
const LINES = CASES.amount === "all" ? 2_000 : cases(120);

/** Openings that are known: `sh` takes braces and `$'x'` for text, and opens a file of that name. */
function isKnown(shell: RealShell, { file }: Opening): boolean {
  return (shell === "dash" || shell === "busybox") && /[{}$]/.test(file);
}

for (const shell of SHELLS) {
  test(
    `a line that opens a file is not allowed where just this file is denied: ${shell}`,
    { timeout: 600_000, skip: withoutWatch(shell) },
    async () => {
      const first = Math.imul(CASES.seed, 1_000_003);
      const lines = Array.from({ length: LINES }, (_, index) => randomFileLine(first + index));
      const all = await filesOpened(shell, lines);
      assert.deepEqual(openings(shell, all).filter((each) => !isKnown(shell, each)), []);
      const opening = all.filter(({ opened }) => opened.length > 0).length;
      assert.ok(opening > enough(30), `${opening} of ${LINES} lines opened a file`);
    },
  );
}

test(
  "a file that a line opens and no rule denies is told",
  { skip: withoutWatch("bash") },
  async () => {
    const lines = ["cat f0", "cd s; cat < f3 > f5", "echo f1 | xargs cat", ": f2"];
    const all = await filesOpened("bash", lines);
    const told = all.map(({ folder, opened }) =>
      opened.map(({ path, access }) => `${access} ${path.slice(folder.length + 1)}`)
    );
    assert.deepEqual(told, [["read f0"], ["read s/f3", "write s/f5"], ["read f1"], []]);
    // Denied or asked about: all of them but what no line opens.
    assert.deepEqual(openings("bash", all), []);
    const others = all.map((each, index) => ({ ...each, line: lines.at(index - 1)! }));
    assert.equal(openings("bash", others).length, 4);
  },
);
