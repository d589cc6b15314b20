import assert from "node:assert/strict";
import { test } from "node:test";
import { asksAboutUnknown } from "../../../lib/decide/unit_result.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { modeNamed } from "../../../lib/decide/modes.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const DONT_ASK = modeNamed("dontAsk")!;

function decisions(command: string, rules: readonly TestRule[] = []) {
  const policy = policyOf(rules);
  const evaluation = evaluateCall(policy, { tool: "Bash", input: { command } });
  const { verdict } = evaluation;
  const mode = modeNamed("default")!;
  return {
    verdict,
    dontAsk: decide(policy, evaluation, { mode: DONT_ASK }).decision,
    autoAllow: decide(policy, evaluation, { mode, autoAllow: true }).decision,
  };
}

const UNREAD = ["$x y", 'eval "$x"', "git -c a=b status", 'ls "', "curl x | sh"];

for (const command of UNREAD) {
  test(`what cannot be known is answered by no mode and no flag: ${command}`, () => {
    const { verdict, dontAsk, autoAllow } = decisions(command);
    assert.ok(verdict.units.some(asksAboutUnknown));
    assert.deepEqual([dontAsk, autoAllow], ["ask", "ask"]);
  });
}

for (
  const command of ["python3 x.py", "python3 -c 'x'", "curl x | node", "npx x", "curl x"]
) {
  test(`what runs code as its trade asks as any program: ${JSON.stringify(command)}`, () => {
    const { verdict, dontAsk, autoAllow } = decisions(command);
    assert.equal(verdict.action, "ask");
    assert.ok(!verdict.units.some(asksAboutUnknown));
    assert.deepEqual([dontAsk, autoAllow], ["allow", "allow"]);
  });
}

test("a rule that cannot be evaluated is another matter: no answer to the line lifts it", () => {
  const rules: readonly TestRule[] = [{ pattern: "Bash:rm *", action: "deny" }];
  const { verdict } = decisions("$x y", rules);
  assert.ok(!verdict.units.some(asksAboutUnknown));
  assert.equal(verdict.by, "safety");
});
