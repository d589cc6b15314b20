import assert from "node:assert/strict";
import { test } from "node:test";
import { createSharedMode } from "../../../lib/decide/shared_mode.ts";
import type { ModeName } from "../../../lib/model/call.ts";
import type { SourceKind } from "../../../lib/model/call.ts";
import type { CompiledPolicy } from "../../../lib/policy/compile/compiled_policy.ts";
import { bash, ended, gateOf, modeOf, odd, policyWith } from "./scene.ts";

interface Set {
  readonly mode?: ModeName;
  readonly kind?: SourceKind;
  readonly enforce?: boolean;
}

/** A policy whose file of that kind sets these. */
function policySetting({ mode, kind = "user", enforce }: Set): CompiledPolicy {
  const plain = policyWith();
  const source = { kind, path: "/m.toml", line: 2, column: 1 };
  const settings = {
    ...plain.settings,
    ...(mode && { defaultMode: { value: mode, source } }),
    ...(enforce === undefined ? {} : { enforce: { value: enforce, source } }),
  };
  return plain.with({ ...plain.sources, settings })!;
}

test("a gate without a mode starts in the policy's default_mode, and so does a shared mode", async () => {
  for (const [mode, expected] of [["plan", "deny mode"], ["dontAsk", "allow mode"]] as const) {
    const policy = policySetting({ mode });
    assert.equal(ended(await gateOf(policy).decide(bash("make"))), expected);
    assert.equal(createSharedMode({ policy }).current, mode);
    assert.equal(createSharedMode({ policy, start: "default" }).current, "default");
    assert.equal(gateOf(policy, { mode: "default" }).mode.current, "default");
  }
  assert.equal(gateOf(policyWith()).mode.current, "default");
});

test("a mode that a managed file sets cannot be left", async () => {
  const policy = policySetting({ mode: "plan", kind: "managed" });
  const shared = createSharedMode({ policy, start: "dontAsk", allowBypass: true });
  assert.equal(shared.current, "plan");
  const warning = "/m.toml:2 sets the mode plan";
  assert.deepEqual(shared.set("dontAsk"), { from: "plan", to: "plan", warning });
  assert.deepEqual(shared.cycle(), { from: "plan", to: "plan", warning });
  assert.deepEqual(shared.cycle("back"), { from: "plan", to: "plan", warning });
  assert.deepEqual(shared.set("bypassPermissions"), { from: "plan", to: "plan", warning });
  assert.deepEqual(shared.set("plan"), { from: "plan", to: "plan" });
  const given = [shared, "dontAsk", modeOf("dontAsk"), modeOf("bypassPermissions")] as const;
  for (const mode of given) {
    const gate = gateOf(policy, { mode, autoAllow: true });
    assert.equal(gate.mode.current, "plan");
    assert.equal(ended(await gate.decide(bash("make"))), "deny mode");
    assert.equal(ended(await gate.child().decide(bash("make"))), "deny mode");
  }
});

test("a managed mode that comes with another policy holds from then on", async () => {
  const gate = gateOf(policyWith(), { mode: modeOf("dontAsk") });
  assert.equal(ended(await gate.decide(bash("make"))), "allow mode");
  gate.setPolicy(odd({ policy: policySetting({ mode: "plan", kind: "managed" }) }));
  assert.equal(ended(await gate.decide(bash("make"))), "deny mode");
});

test("enforce refuses dontAsk and autoAllow", async () => {
  const policy = policySetting({ enforce: true, kind: "managed" });
  const refused = 'is refused: "enforce = true" in /m.toml:2';
  const cases = [
    { parts: { mode: "dontAsk" }, said: `dontAsk ${refused}` },
    { parts: { autoAllow: true }, said: `auto-allow ${refused}` },
  ] as const;
  for (const { parts, said } of cases) {
    const decided = await gateOf(policy, parts).decide(bash("make"));
    assert.equal(ended(decided), "ask rule");
    assert.deepEqual(decided.warnings, [said]);
  }
  assert.throws(() => createSharedMode({ policy, start: "dontAsk" }), RangeError);
  assert.throws(() => createSharedMode({ policy, allowBypass: true }), RangeError);
  const change = createSharedMode({ policy }).set("dontAsk");
  assert.equal(change.to, "default");
  assert.match(change.warning ?? "", /enforce = true/);
  const own = policySetting({ mode: "dontAsk", enforce: true });
  assert.equal(createSharedMode({ policy: own }).current, "default");
  assert.equal(gateOf(own).mode.current, "default");
});

test("a mode that lifts denials is never a start without its latch", () => {
  const policy = policySetting({ mode: "bypassPermissions", kind: "managed" });
  assert.throws(() => createSharedMode({ policy }), RangeError);
  assert.throws(() => gateOf(policy), TypeError);
  assert.equal(gateOf(policy, { mode: "default" }).mode.current, "default");
});
