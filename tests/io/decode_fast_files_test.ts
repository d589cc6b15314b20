import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { decodeFast } from "../../lib/policy/decode/decode_fast.ts";
import { decodeFully } from "../../lib/policy/decode/decode_policy.ts";
import { REPO } from "../support/spec_run.ts";

const CASES = "tests/cases/permissions";

/** True if the fast decoder takes the file. It must then agree with the full one. */
function isTaken(path: string): boolean {
  const text = readFileSync(join(REPO, path), "utf8");
  const fast = decodeFast(text);
  if (fast === undefined) return false;
  assert.deepEqual(fast, decodeFully(text), path);
  return true;
}

function filesIn(folder: string): readonly string[] {
  return readdirSync(join(REPO, CASES, folder)).toSorted();
}

test("the fast decoder takes the files that ship", () => {
  for (const path of ["examples/policy/.caliban/permissions.toml", "defaults/permissions.toml"]) {
    assert.ok(isTaken(path), path);
  }
});

test("of the valid cases it takes those whose every value ends on its line", () => {
  const taken = filesIn("valid").filter((name) => isTaken(`${CASES}/valid/${name}`));
  assert.deepEqual(taken, ["buckets.toml", "empty.toml", "full.toml", "tool_alias.toml"]);
});

test("it leaves every invalid case to the full decoder", () => {
  const names = filesIn("invalid");
  assert.ok(names.length > 0);
  assert.deepEqual(names.filter((name) => isTaken(`${CASES}/invalid/${name}`)), []);
});
