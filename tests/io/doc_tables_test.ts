// Needs --allow-read: the verdicts of the tables in README and docs/shell.md are those of the evaluator.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { evaluate } from "../../lib/decide/evaluate.ts";
import type { Action } from "../../lib/model/call.ts";
import { policyOf } from "../support/policy.ts";
import { REPO } from "../support/spec_run.ts";

/** The columns of a table, by their place. */
interface Columns {
  readonly parsed: number;
  readonly literal: number;
}

const TABLES: readonly (readonly [page: string, columns: Columns])[] = [
  ["README.md", { literal: 2, parsed: 3 }],
  ["docs/shell.md", { parsed: 2, literal: 3 }],
];

for (const [page, columns] of TABLES) {
  test(`the verdicts in the table of ${page} are those of the evaluator`, () => {
    const rows = readFileSync(join(REPO, page), "utf8").split("\n")
      .filter((line) => /^\| (?:allow|deny) `/.test(line))
      .map((line) => line.split(/(?<!\\)\|/).slice(1, -1).map((cell) => cell.trim()));
    assert.ok(rows.length >= 5);
    for (const cells of rows) checkRow(cells, columns);
  });
}

function checkRow(cells: readonly string[], columns: Columns): void {
  const rules = [...cells[0]!.matchAll(/(allow|deny) `([^`]+)`/g)].map(([, action, pattern]) => ({
    pattern: pattern!,
    action: action as Action,
  }));
  for (const [, command = ""] of cells[1]!.replaceAll("\\|", "|").matchAll(/`([^`]+)`/g)) {
    for (const shell of ["parsed", "literal"] as const) {
      const policy = policyOf([...rules, { pattern: "*", action: "ask", kind: "builtin" }], {
        shell,
      });
      const { action } = evaluate(policy, { tool: "Bash", input: { command } });
      assert.equal(action, cells[columns[shell]], `${command} (${shell})`);
    }
  }
}
