import assert from "node:assert/strict";
import { test } from "node:test";
import { answerEvent } from "../../lib/agents/hook/answer_event.ts";
import { answerQuestions, decideInMode } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { isRefused, managedMode, modeNamed } from "../../lib/decide/modes.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { applyAutoMode, deniedByList } from "../../lib/gate/auto/apply_auto_mode.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { ModeName } from "../../lib/model/call.ts";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import { anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";
import { autoMode } from "../unit/gate/auto/scene.ts";

const NOW = 100;
const MODES = ["default", "acceptEdits", "plan", "auto", "dontAsk"] as const;
const LISTS = 'allow = []\nsoft_deny = []\nhard_deny = ["$defaults", "Bash:rm *", "Write:**"]\n';
const anyMode = fc.constantFrom<ModeName>(...MODES);
const anySetting = fc.record({
  set: fc.option(anyMode, { nil: undefined }),
  isManaged: fc.boolean(),
  enforce: fc.boolean(),
  given: fc.option(anyMode, { nil: undefined }),
});

test("gate, check and hook agree on default_mode, enforce and hard_deny", async () => {
  let denied = 0;
  const rules = fc.array(fc.oneof(anyRule, shellRule), { maxLength: 5 });
  await fc.assert(
    fc.asyncProperty(rules, shellCall, anySetting, async (rules, call, setting) => {
      const { set, isManaged, enforce, given } = setting;
      const plain = policyOf(rules);
      const source = {
        kind: isManaged ? "managed" : "user",
        path: "/m",
        line: 1,
        column: 1,
      } as const;
      const policy = plain.with({
        ...plain.sources,
        settings: {
          ...plain.settings,
          ...(set && { defaultMode: { value: set, source } }),
          enforce: { value: enforce, source },
        },
      })!;
      const { settings } = policy;
      const wanted = modeNamed(managedMode(settings)?.name ?? given ?? set ?? "default")!;
      const mode = isRefused(wanted, settings) ? modeNamed("default")! : wanted;
      const auto = autoMode(undefined, { text: LISTS });
      const asked = decideInMode(policy, evaluateCall(policy, call, { now: NOW }), mode);
      const checked = answerQuestions(
        mode.asksModel ? await applyAutoMode(asked, { auto }) : asked,
        { autoAllow: !enforce },
      );
      const gate = createGate({
        policy: openPolicyOf(policy),
        classifier: autoMode(undefined, { text: LISTS }),
        ...(given && { mode: given }),
        autoAllow: true,
        now: () => NOW,
      });
      const gated = await gate.decide(structuredClone(call));
      assert.equal(gated.decision, checked.decision, JSON.stringify([call, setting]));
      const event = { name: "PreToolUse", calls: [call], readings: [], folders: [] } as const;
      const hook = answerEvent(event, {
        policy,
        others: [],
        now: NOW,
        mode,
        isModeManaged: isManaged,
        ...(mode.asksModel && { deny: (each) => deniedByList(each, auto) }),
      });
      // A hook asks no model, and no flag answers it.
      const isStopped = gated.decision === "deny" && gated.decidedBy === "static-rule";
      if (isStopped) denied++;
      if (isStopped || gated.decision === "deny") assert.equal(hook.action, "deny");
    }),
    { numRuns: 500 },
  );
  assert.ok(denied > enough(5), `${denied}`);
});
