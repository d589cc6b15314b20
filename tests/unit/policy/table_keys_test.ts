import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";

test("every unknown key is a problem, and the first of them have a hint", () => {
  const keys = Array.from({ length: 60 }, (_, at) => `default_mod${at} = 1\n`).join("");
  const { problems } = decodePolicy(`[permissions]\n${keys}`);
  assert.equal(problems.length, 60);
  const hints = problems.map(({ id, hint }) => `${id} ${hint ?? "-"}`);
  assert.deepEqual(
    new Set(hints.slice(0, 50)),
    new Set(['unknown-key Did you mean "default_mode"?']),
  );
  assert.deepEqual(new Set(hints.slice(50)), new Set(["unknown-key -"]));
});
