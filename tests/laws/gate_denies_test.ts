import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { GateDecision } from "../../lib/gate/gate.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { asksBySpecifier } from "../../lib/decide/precedence.ts";
import { anyOutcomes, anyScene, BROKEN, type Outcomes, partsFor } from "./gate_outcomes.ts";

/** True if the part that is said to have allowed the call did so. */
function isGiven({ decidedBy, verdict }: GateDecision, outcomes: Outcomes): boolean {
  const { mode, hooks, tool, classifier, ask, autoAllow, headless } = outcomes;
  switch (decidedBy) {
    case "rule":
      return verdict.action === "allow";
    case "mode":
      return mode === "acceptEdits" || mode === "dontAsk";
    case "hook":
      return hooks === "allow";
    case "tool":
      return tool === "allow";
    case "classifier":
      return classifier === "allow" && mode === "auto";
    case "auto-allow":
      return autoAllow;
    case "ask":
      return !headless && (ask === "allow-once" || ask === "allow-always");
    default:
      return false;
  }
}

test("nothing that hooks, tools, models and people answer makes an allow of a deny", async () => {
  let [denied, allowed, written] = [0, 0, 0];
  await fc.assert(
    fc.asyncProperty(anyScene, anyOutcomes, async ({ call, policy }, outcomes) => {
      const gate = createGate({ policy: openPolicyOf(policy), ...partsFor(outcomes, call) });
      const decision = await gate.decide(call);
      const judged = evaluate(policy, decision.call);
      assert.deepEqual(decision.verdict, judged);
      if (judged.action === "deny") {
        denied++;
        assert.equal(decision.decision, "deny");
      }
      if (decision.decision !== "allow") return;
      allowed++;
      assert.ok(isGiven(decision, outcomes), decision.decidedBy);
      assert.equal(decision.trace.at(-1)?.decidedBy, decision.decidedBy);
      // A safety check and a rule with a spec are not for hooks, tools and models to answer.
      for (const unit of decision.units) {
        if (unit.by === "safety" && unit.action === "ask") assert.equal(unit.decidedBy, "ask");
      }
      if (decision.units.some(asksBySpecifier)) written++;
      const isWritten = decision.units.some((unit) =>
        asksBySpecifier(unit) && ["hook", "tool", "classifier"].includes(unit.decidedBy)
      );
      assert.ok(!isWritten);
      assert.ok(decision.units.every((unit) => unit.decision === "allow"));
    }),
    { numRuns: 1_000 },
  );
  const counts = `${denied} denied, ${allowed} allowed, ${written} where a rule with a spec asks`;
  assert.ok(denied > enough(50) && allowed > enough(50) && written > enough(4), counts);
});

test("what throws never allows", async () => {
  let failed = 0;
  await fc.assert(
    fc.asyncProperty(anyScene, anyOutcomes, async ({ call, policy }, outcomes) => {
      const gate = createGate({ policy: openPolicyOf(policy), ...partsFor(outcomes, call) });
      const decision = await gate.decide(call);
      const step = decision.trace.find(({ result }) => result === "failed");
      const { hooks, input, tool, ask } = outcomes;
      if (step === undefined) {
        assert.ok(input !== BROKEN && (hooks !== BROKEN || decision.decision === "deny"));
        assert.ok(tool !== BROKEN || decision.decision === "deny");
        assert.ok(ask !== BROKEN || decision.decidedBy !== "ask");
        assert.ok(!("cause" in decision));
        return;
      }
      failed++;
      assert.equal(decision.decision, "deny");
      assert.match(String(decision.cause), /a bug/);
    }),
    { numRuns: 500 },
  );
  assert.ok(failed > enough(50), `${failed} failed`);
});

test("in bypass only hooks and the tool itself deny", async () => {
  await fc.assert(
    fc.asyncProperty(anyScene, anyOutcomes, async ({ call, policy }, outcomes) => {
      const parts = partsFor(outcomes, call);
      parts.mode.set("bypassPermissions");
      const decision = await createGate({ policy: openPolicyOf(policy), ...parts }).decide(call);
      const { hooks, input, tool } = outcomes;
      const isStopped = [hooks, tool].some((said) => said === "deny" || said === BROKEN) ||
        input === BROKEN || input === "something";
      if (isStopped) assert.equal(decision.decision, "deny");
      else if (hooks !== "ask" && outcomes.updates !== "other") {
        assert.deepEqual([decision.decision, decision.decidedBy], ["allow", "bypass"]);
      }
    }),
    { numRuns: 300 },
  );
});
