import assert from "node:assert/strict";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ofLane, sample } from "../support/cases.ts";
import { playSpec, REPO, withScene } from "../support/spec_run.ts";

const SPECS = join(REPO, "tests", "specs");
const updating = process.env["UPDATE"] === "1";

/** All, or where the other runtime plays all of them, a part of the day. */
const names = "Bun" in globalThis && !updating ? sample(specNames(), 150) : specNames();

for (const name of ofLane(names)) {
  test(`spec: ${name}`, () =>
    withScene(async (folder) => {
      const path = join(SPECS, name);
      const text = readFileSync(path, "utf8");
      const played = await playSpec(text, folder);
      assert.ok(!played.includes("caliban has a bug"), played);
      if (updating && played !== text) writeFileSync(path, played);
      else assert.equal(played, text);
    }));
}

test("there are specs", () => assert.ok(specNames().length > 0));

function specNames(): readonly string[] {
  return readdirSync(SPECS, { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".spec.txt"))
    .sort();
}
