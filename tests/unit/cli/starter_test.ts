import assert from "node:assert/strict";
import { test } from "node:test";
import { STARTER } from "../../../lib/cli/init/starter.ts";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";

test("the starter policy has rules and no problems", () => {
  const { problems, rules, shape } = decodePolicy(STARTER);
  assert.deepEqual(problems, []);
  assert.equal(shape, "canonical");
  assert.deepEqual(rules.map(({ action }) => action), [
    "deny",
    "deny",
    "deny",
    "deny",
    "ask",
    "allow",
  ]);
});

test("its first line names the schema that stands beside it", () => {
  assert.match(STARTER, /^#:schema \.\/permissions\.schema\.json\n/);
});
