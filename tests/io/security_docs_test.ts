import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import cases from "../cases/presets/guard.json" with { type: "json" };
import { REPO } from "../support/spec_run.ts";

const DOCS = readFileSync(join(REPO, "docs/security.md"), "utf8");

/** The rows of the tables with a column of tests. */
const ROWS = DOCS.split("\n").filter((line) => line.startsWith("|") && line.includes("`tests/"));

test("docs/security.md names tests that there are, by titles that they have", () => {
  assert.ok(ROWS.length > 40, `${ROWS.length} rows`);
  for (const row of ROWS) {
    for (const [, path = "", titles = ""] of row.matchAll(/`(tests\/[^`]+)`((?:,? ?"[^"]+")*)/g)) {
      assert.ok(existsSync(join(REPO, path)), path);
      const text = titles === "" ? "" : readFileSync(join(REPO, path), "utf8");
      for (const [, title = ""] of titles.matchAll(/"([^"]+)"/g)) {
        assert.ok(text.includes(title), `${path} has no "${title}"`);
      }
    }
  }
});

test("docs/security.md has the preset guard's figures", () => {
  const count = (which: "stopped" | "missed") =>
    cases.families.reduce((sum, each) => sum + each[which].length, 0);
  const [stopped, all] = [count("stopped"), count("stopped") + count("missed")];
  const share = Math.floor(stopped / all * 100);
  for (const figure of [`${all} disasters`, `${cases.everyday.length} everyday lines`]) {
    assert.ok(DOCS.includes(figure), figure);
  }
  assert.ok(DOCS.includes(`${stopped} of the disasters (${share} %)`), `${stopped}, ${share} %`);
});
