import assert from "node:assert/strict";
import { test } from "node:test";
import { hookReason } from "../../../lib/text/hook_reason.ts";

test("a reason is one line, says who speaks, hides nothing and is never empty", () => {
  assert.equal(hookReason("a\n  b"), "caliban: a b");
  assert.equal(hookReason(" "), "caliban: the policy says so");
  const shown = hookReason("a\u202eb\u0007");
  for (const hidden of ["\u202e", "\u0007"]) assert.ok(!shown.includes(hidden));
  assert.ok(hookReason("\u{1f600}".repeat(1000)).isWellFormed());
  assert.ok(hookReason("x".repeat(100_000)).length < 2000);
});
