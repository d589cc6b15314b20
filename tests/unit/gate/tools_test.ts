import assert from "node:assert/strict";
import { test } from "node:test";
import type { GateTool, ToolOpinion } from "../../../lib/gate/gate_parts.ts";
import { auto, bash, ended, gateOf, hooks, modeOf, person, policyWith, write } from "./scene.ts";

function saying(decision: ToolOpinion["decision"], more: Partial<GateTool> = {}) {
  const tool: GateTool = {
    checkPermissions: () => ({ decision, reason: "the tool says so" }),
    ...more,
  };
  return { Bash: tool, Write: tool };
}

const CELLS = [
  { mode: "default", ordinary: "ask tool", person: "ask tool" },
  { mode: "acceptEdits", ordinary: "allow mode", person: "ask tool" },
  { mode: "plan", ordinary: "deny mode", person: "deny mode" },
  { mode: "auto", ordinary: "allow classifier", person: "ask tool" },
  { mode: "dontAsk", ordinary: "allow mode", person: "ask tool" },
  { mode: "bypassPermissions", ordinary: "allow bypass", person: "allow bypass" },
  { mode: "disabled", ordinary: "allow disabled", person: "allow disabled" },
] as const;

for (const { mode, ordinary, person: needing } of CELLS) {
  test(`a tool's ask about what a rule allows, in ${mode}`, async () => {
    const parts = { mode: modeOf(mode), classifier: auto("allow") } as const;
    const policy = policyWith("allow Write");
    const gate = gateOf(policy, { ...parts, tools: saying("ask") });
    assert.equal(ended(await gate.decide(write("a"))), ordinary);
    const tools = saying("ask", { needsPerson: true });
    assert.equal(ended(await gateOf(policy, { ...parts, tools }).decide(write("a"))), needing);
  });

  test(`a rule's ask about a tool that needs a person, in ${mode}`, async () => {
    const tools = saying("passthrough", { needsPerson: true });
    const parts = {
      mode: modeOf(mode),
      classifier: auto("allow"),
      tools,
      autoAllow: true,
    } as const;
    assert.equal(ended(await gateOf(policyWith(), parts).decide(write("a"))), needing);
  });

  test(`a tool's deny stands in ${mode}`, async () => {
    const gate = gateOf(policyWith("allow Bash"), { mode: modeOf(mode), tools: saying("deny") });
    const decision = await gate.decide(bash("make"));
    assert.equal(ended(decision), "deny tool");
    assert.equal(decision.reason, "the tool says so");
  });
}

test("a tool's ask keeps the verdict of the rules in the record", async () => {
  const gate = gateOf(policyWith("allow Bash"), { tools: saying("ask") });
  const decision = await gate.decide(bash("make; ls"));
  assert.equal(decision.verdict.action, "allow");
  assert.equal(decision.reason, "the tool says so");
  assert.deepEqual(decision.units.map(({ decidedBy }) => decidedBy), ["tool", "tool"]);
});

test("a tool's allow counts for no more than a hook's", async () => {
  const tools = saying("allow");
  const end = async (rules: readonly string[], command: string) =>
    ended(await gateOf(policyWith(...rules), { tools }).decide(bash(command)));
  assert.equal(await end([], "make"), "allow tool");
  assert.equal(await end(["ask Bash"], "make"), "allow tool");
  assert.equal(await end(["ask Bash:make *"], "make"), "ask rule");
  assert.equal(await end(["deny Bash:make *"], "make"), "deny rule");
  assert.equal(await end(["deny Bash:rm -rf *"], 'rm "$@"'), "ask safety");
});

test("a hook's allow does not answer a tool's own ask", async () => {
  const gate = gateOf(policyWith("allow Bash"), {
    tools: saying("ask"),
    hooks: hooks({ decision: "allow" }),
  });
  assert.equal(ended(await gate.decide(bash("make"))), "ask tool");
});

test("an always about a tool's own ask is remembered for the very call", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("allow Bash"), { tools: saying("ask"), ask });
  assert.equal(ended(await gate.decide(bash("make"))), "allow ask");
  assert.equal(ended(await gate.decide(bash("make"))), "allow ask");
  assert.equal(ask.questions.length, 1);
  assert.deepEqual(ask.questions[0]?.scopes, ["session"]);
  await gate.decide(bash("make all"));
  assert.equal(ask.questions.length, 2);
});

test("a tool that needs a person is asked about each time", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith(), { tools: saying("ask", { needsPerson: true }), ask });
  await gate.decide(bash("make"));
  await gate.decide(bash("make"));
  assert.deepEqual(ask.questions.map(({ scopes }) => scopes), [[], []]);
});

test("a tool is given its input, the call and where it runs", async () => {
  const given: unknown[] = [];
  const checkPermissions: GateTool["checkPermissions"] = (input, context) => {
    given.push(input, context);
    return { decision: "passthrough" };
  };
  const gate = gateOf(policyWith(), { tools: { Bash: { checkPermissions } } });
  const call = { ...bash("make"), cwd: "/workspace/web" };
  await gate.decide(call);
  assert.deepEqual(given, [{ command: "make" }, { call, cwd: "/workspace/web" }]);
});
