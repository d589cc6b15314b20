import assert from "node:assert/strict";
import { test } from "node:test";
import { AGENT_NAMES } from "../../lib/agents/registry.ts";
import { answerEvent } from "../../lib/agents/hook/answer_event.ts";
import { hookDecision } from "../../lib/cli/hook/run.ts";
import { understoodDecision } from "../../lib/cli/doctor/probe.ts";
import { agentProfile } from "../../lib/agents/profile.ts";
import { asksAboutUnknown } from "../../lib/decide/unit_result.ts";
import { decide } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { defaultMode } from "../../lib/decide/modes.ts";
import { anyOptions, anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { HOOKS, sampleEvent } from "../support/agents.ts";
import { CONTEXT, policyOf, type TestRule } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const NOW = 100;
const BUILT_IN: readonly TestRule[] = [
  { pattern: "Read", action: "allow", kind: "builtin" },
  { pattern: "Bash", action: "ask", kind: "builtin" },
  { pattern: "*", action: "ask", kind: "builtin" },
];
const RULES = fc.array(fc.oneof(anyRule, shellRule), { maxLength: 6 });
const folder = CONTEXT.workspace[0]!;

for (const agent of AGENT_NAMES) {
  test(`${agent} is told what check decides`, () => {
    const hook = HOOKS[agent];
    const capabilities = agentProfile(agent).hook;
    fc.assert(
      fc.property(RULES, anyOptions, shellCall, (rules, options, { input }) => {
        const command = String(input["command"] ?? "");
        if (command === "") return;
        const policy = policyOf([...rules, ...BUILT_IN], options);
        const sample = sampleEvent(agent, { command, folder });
        const event = hook.read(sample.event, { env: (name) => sample.env[name] });
        const answered = answerEvent(event, { policy, others: [], mode: defaultMode, now: NOW });
        const call = { tool: "Bash", input: { command }, cwd: folder };
        const checked = decide(policy, evaluateCall(policy, call, { now: NOW }), {
          mode: defaultMode,
        });
        assert.equal(answered.action, checked.decision);
        assert.equal(answered.reason, checked.reason);
        const decision = hookDecision(answered, capabilities);
        const output = hook.render({ decision, reason: answered.reason, event: event.name });
        const says = understoodDecision(output, capabilities);
        if (checked.decision === "deny") assert.equal(says, "deny");
        if (checked.decision === "allow") assert.ok(says === "allow" || says === "silence");
        if (checked.decision === "ask") {
          assert.notEqual(says, "allow");
          const isWritten = checked.units.some((unit) => {
            if (unit.decision !== "ask") return false;
            if (unit.isOrdinaryCode && unit.check === undefined) return false;
            const isUnread = unit.check === undefined && asksAboutUnknown(unit);
            const isOwn = unit.rule !== null && unit.rule.source.kind !== "builtin";
            return isOwn || unit.decidedBy !== "rule" && !isUnread;
          });
          if (isWritten) assert.ok(says === "ask" || says === "deny");
          const { silence, ask } = capabilities;
          if (silence === "runs") assert.equal(says, ask === "prompts" ? "ask" : "deny");
        }
      }),
      { numRuns: 60 },
    );
  });
}

test("another folder's policy makes an answer stricter, never looser", () => {
  fc.assert(
    fc.property(RULES, RULES, shellCall, (rules, others, call) => {
      const policy = policyOf([...rules, ...BUILT_IN]);
      const other = policyOf([...others, ...BUILT_IN]);
      const event = { name: "e", calls: [call], readings: [], folders: [] };
      const options = { policy, mode: defaultMode, now: NOW };
      const alone = answerEvent(event, { ...options, others: [] });
      const both = answerEvent(event, { ...options, others: [other] });
      const rank = { allow: 0, ask: 1, deny: 2 };
      assert.ok(rank[both.action] >= rank[alone.action]);
      const denied = decide(other, evaluateCall(other, call, { now: NOW }), { mode: defaultMode });
      if (denied.decision === "deny") assert.equal(both.action, "deny");
    }),
    { numRuns: 200 },
  );
});
