import assert from "node:assert/strict";
import { test } from "node:test";
import cases from "../../cases/paths.json" with { type: "json" };
import { matchOf, type PatternCase, titleOf } from "../../support/pattern_case.ts";

for (const row of cases as unknown as readonly PatternCase[]) {
  test(titleOf(row), () => assert.equal(matchOf(row), row.match));
}
