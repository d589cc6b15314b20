import assert from "node:assert/strict";
import { test } from "node:test";
import { findVerb, pathsOf } from "../../../lib/cli/args/verb.ts";
import { VERBS } from "../../../lib/cli/registry.ts";

test("every verb is found by each of its names, with what follows", () => {
  for (const verb of VERBS) {
    for (const path of pathsOf(verb)) {
      assert.deepEqual(findVerb([...path, "x", "--y"], VERBS), { verb, args: ["x", "--y"] });
    }
  }
});

test("no two verbs have a name in common", () => {
  const names = VERBS.flatMap(pathsOf).map((path) => path.join(" "));
  assert.equal(new Set(names).size, names.length);
});

test("what is no verb is not found", () => {
  assert.equal(findVerb([], VERBS), undefined);
  assert.equal(findVerb(["perms"], VERBS), undefined);
  assert.equal(findVerb(["perms", "schema"], VERBS), undefined);
  assert.equal(findVerb(["Schema"], VERBS), undefined);
});
