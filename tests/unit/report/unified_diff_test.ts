import assert from "node:assert/strict";
import { test } from "node:test";
import { unifiedDiff } from "../../../lib/report/unified_diff.ts";
import fc from "../../support/seeded.ts";

test("texts that are the same differ in nothing", () => {
  assert.equal(unifiedDiff("f", { before: "a\n", after: "a\n" }), "");
});

test("a line in the middle, with three lines around it", () => {
  const before = "1\n2\n3\n4\n5\n6\n7\n8\n9\n";
  assert.equal(
    unifiedDiff("f", { before, after: before.replace("5\n", "five\n") }),
    "--- f\n+++ f\n@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n",
  );
});

test("an empty text, and a text without a last line end", () => {
  assert.equal(
    unifiedDiff("f", { before: "", after: "a\n" }),
    "--- f\n+++ f\n@@ -0,0 +1,1 @@\n+a\n",
  );
  assert.equal(
    unifiedDiff("f", { before: "a", after: "a\n" }),
    "--- f\n+++ f\n@@ -1,1 +1,1 @@\n-a\n\\ No newline at end of file\n+a\n",
  );
});

const text = fc.array(fc.constantFrom("a\n", "b\n", "c\n", "\n"), { maxLength: 30 })
  .chain((lines) => fc.constantFrom(lines.join(""), lines.join("").slice(0, -1)));

test("a diff, applied, makes the one text of the other", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      assert.equal(patched(before, unifiedDiff("f", { before, after })), after);
    }),
    { numRuns: 500 },
  );
});

test("a diff has as few changed lines as can be", () => {
  fc.assert(
    fc.property(text, text, (before, after) => {
      const diff = unifiedDiff("f", { before, after });
      const changed = diff.split("\n").slice(2).filter((line) => /^[-+]/.test(line)).length;
      const [old, now] = [linesOf(before), linesOf(after)];
      assert.equal(changed, old.length + now.length - 2 * longestCommon(old, now));
    }),
    { numRuns: 300 },
  );
});

/** Applies a diff by its own line numbers. */
function patched(before: string, diff: string): string {
  if (diff === "") return before;
  const old = linesOf(before);
  const result: string[] = [];
  let next = 0;
  const lines = diff.split("\n").slice(2, -1);
  for (const [index, line] of lines.entries()) {
    const [, start = "", count = ""] = /^@@ -(\d+),(\d+) /.exec(line) ?? [];
    if (start !== "") {
      const from = Number(start) - (count === "0" ? 0 : 1);
      result.push(...old.slice(next, from));
      next = from;
      continue;
    }
    if (line.startsWith("\\")) continue;
    const own = line.slice(1) + (lines[index + 1]?.startsWith("\\") ? "" : "\n");
    if (!line.startsWith("+")) assert.equal(old[next++], own);
    if (!line.startsWith("-")) result.push(own);
  }
  return [...result, ...old.slice(next)].join("");
}

function linesOf(text: string): readonly string[] {
  return text.match(/[^\n]*\n|[^\n]+$/g) ?? [];
}

function longestCommon(one: readonly string[], other: readonly string[]): number {
  let row = new Array<number>(other.length + 1).fill(0);
  for (const line of one) {
    const next = [0];
    for (let at = 0; at < other.length; at++) {
      next.push(line === other[at] ? row[at]! + 1 : Math.max(row[at + 1]!, next[at]!));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
