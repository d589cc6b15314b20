import assert from "node:assert/strict";
import { test } from "node:test";
import { callsBeyond } from "../../../lib/analysis/calls_beyond.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import { policyOf } from "../../support/policy.ts";

const POLICY = policyOf([]);
const bash = (command: string) => ({ tool: "Bash", input: { command } });

test("what a pattern allows besides known calls is shown by short calls", () => {
  const given = [bash("npm run build")];
  const more = callsBeyond("Bash:npm run *", POLICY, { given, count: 3 });
  assert.ok(more.length > 0);
  const alone = policyOf([{ action: "allow", pattern: "Bash:npm run *" }]);
  for (const call of more) assert.equal(evaluate(alone, call).action, "allow");
  assert.deepEqual(more[0], bash("npm run a"));
});

test("a pattern of one call allows nothing besides it", () => {
  assert.deepEqual(
    callsBeyond("Bash:npm test", POLICY, { given: [bash("npm test")], count: 3 }),
    [],
  );
});

test("a pattern that cannot be read is refused", () => {
  assert.throws(() => callsBeyond("Bash(", POLICY, { given: [], count: 1 }), RangeError);
});
