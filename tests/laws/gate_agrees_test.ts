import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { decide } from "../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../lib/decide/evaluate.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import { STAGES } from "../../lib/gate/stages/run_stages.ts";
import type { Decision } from "../../lib/model/verdict.ts";
import { DISABLED, MODES } from "../../lib/decide/modes.ts";
import {
  anyCall as anyOddCall,
  anyOptions,
  anyRule,
  shellCall,
  shellRule,
} from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";
import { modeOf } from "../unit/gate/scene.ts";

const NOW = 100;
const RULES = fc.array(fc.oneof(anyRule, shellRule), { maxLength: 6 });
/** As JSON.parse would make it: with objects like any other. */
const anyCall = fc.oneof(anyOddCall, shellCall).map((call) => structuredClone(call));
const anyMode = fc.constantFrom(...MODES, DISABLED);

test("the gate decides as check and explain do, in every mode and with every flag", async () => {
  const flags = fc.record({ headless: fc.boolean(), autoAllow: fc.boolean() });
  await fc.assert(
    fc.asyncProperty(
      RULES,
      anyOptions,
      anyCall,
      anyMode,
      flags,
      async (rules, options, call, mode, flags) => {
        const policy = policyOf(rules, options);
        const gate = createGate({
          policy: openPolicyOf(policy),
          mode: modeOf(mode.name),
          now: () => NOW,
          ...flags,
        });
        const gated = await gate.decide(call);
        const checked = decide(policy, evaluateCall(policy, call, { now: NOW }), {
          mode,
          ...flags,
        });
        const explained = evaluate(policy, call, { now: NOW, trace: "full" });
        assert.equal(gated.decision, checked.decision);
        assert.equal(gated.decidedBy, checked.decidedBy);
        assert.equal(gated.mode, checked.mode);
        assert.deepEqual(unitEnds(gated), unitEnds(checked));
        assert.deepEqual(gated.verdict, checked.verdict);
        assert.equal(gated.verdict.action, explained.action);
        assert.equal(gated.verdict.rule, explained.rule);
      },
    ),
    { numRuns: 400 },
  );
});

function unitEnds({ units }: Decision): readonly string[] {
  return units.map(({ decision, decidedBy }) => `${decision} ${decidedBy}`);
}

test("without a flag the gate says all that check says", async () => {
  await fc.assert(
    fc.asyncProperty(RULES, anyOptions, anyCall, anyMode, async (rules, options, call, mode) => {
      const policy = policyOf(rules, options);
      const gate = createGate({
        policy: openPolicyOf(policy),
        mode: modeOf(mode.name),
        now: () => NOW,
      });
      const { call: judged, trace, policyVersion, ...gated } = await gate.decide(call);
      const checked = decide(policy, evaluateCall(policy, call, { now: NOW }), { mode });
      assert.deepEqual(gated, checked);
      assert.deepEqual(judged, call);
      assert.equal(policyVersion, 1);
      const order = trace.map(({ stage }) => STAGES.findIndex(({ name }) => name === stage));
      assert.deepEqual(order.slice(0, -1), order.slice(0, -1).toSorted((a, b) => a - b));
      assert.equal(trace.at(-1)?.stage, "decision");
    }),
    { numRuns: 200 },
  );
});
