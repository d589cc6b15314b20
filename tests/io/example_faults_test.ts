import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { lintText } from "../unit/lint/lint_text.ts";

const FAULTS = new URL("../../examples/faults/.caliban/permissions.toml", import.meta.url);

test("lint finds the faults that are planted in examples/faults, and nothing else", () => {
  const { findings } = lintText(readFileSync(FAULTS, "utf8"));
  const found = findings.map(({ id, span }) => `${span.line} ${id}`);
  assert.deepEqual(found.toSorted((a, b) => parseInt(a) - parseInt(b)), [
    "11 shadowed",
    "15 contradiction",
    "19 allows-exec",
    "19 leaky-prefix",
    "23 allows-exec",
    "27 deny-evadable",
    "31 never-matches",
    "31 unknown-tool",
    "35 leaky-prefix",
    "39 self-modifying",
    "43 expired",
    "50 example-fails",
    "53 duplicate",
    "61 order-trap",
  ]);
});

test("lint finds no more than notes in examples/policy", () => {
  const path = new URL("../../examples/policy/.caliban/permissions.toml", import.meta.url);
  const { findings } = lintText(readFileSync(path, "utf8"));
  assert.deepEqual([...new Set(findings.map(({ severity }) => severity))], ["note"]);
});
