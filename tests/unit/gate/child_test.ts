import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { GateTool } from "../../../lib/gate/gate_parts.ts";
import { auto, bash, ended, gateOf, modeOf, odd, person, policyWith, write } from "./scene.ts";

const POLICY = policyWith("allow Bash(ls:*)", "deny Bash:rm *", "ask Bash:git push *");

test("a sub-agent's ask goes to the parent's person, who is told whose it is", async () => {
  const ask = person("allow-always");
  const gate = gateOf(POLICY, { ask });
  const child = gate.child({ name: "reviewer" });
  assert.equal(ended(await child.decide(bash("git push"))), "allow ask");
  assert.equal(ask.questions[0]?.reason, "reviewer asks");
  assert.equal(ended(await gate.decide(bash("git push"))), "allow rule");
  assert.deepEqual(child.sessionRules, gate.sessionRules);
  await gate.child().decide(bash("make"));
  assert.equal(ask.questions[1]?.reason, "a sub-agent asks");
  await gate.child({ policy: "inherit" }).decide(bash("cc"));
  assert.equal(ask.questions[2]?.reason, undefined);
});

test("a change of the mode reaches a sub-agent, which cannot make one", async () => {
  const mode = modeOf("default");
  const gate = gateOf(POLICY, { mode });
  const child = gate.child();
  assert.equal(ended(await child.decide(bash("make"))), "ask rule");
  mode.set("plan");
  assert.equal(child.mode.current, "plan");
  assert.equal(ended(await child.decide(bash("make"))), "deny mode");
  assert.ok(!("set" in child.mode) && !("setPolicy" in child) && !("close" in child));
});

test("a change of the policy reaches a sub-agent", async () => {
  const gate = gateOf(POLICY);
  const child = gate.child().child();
  gate.setPolicy(openPolicyOf(policyWith("allow Bash")));
  assert.equal(ended(await child.decide(bash("make"))), "allow rule");
  assert.equal(child.policyVersion, 2);
});

test("inherit-allowlist: only what the rules allow, whatever the mode", async () => {
  for (const name of ["default", "acceptEdits", "auto", "dontAsk", "bypassPermissions"] as const) {
    const ask = person("allow-once");
    const parts = { mode: modeOf(name), ask, classifier: auto("allow"), autoAllow: true } as const;
    const child = gateOf(POLICY, parts).child({ policy: "inherit-allowlist" });
    assert.equal((await child.decide(bash("ls -l"))).decision, "allow");
    assert.equal(ended(await child.decide(bash("make"))), "deny headless");
    assert.equal(ended(await child.decide(write("a"))), "deny headless");
    assert.equal((await child.decide(bash("rm x"))).decision, "deny");
    assert.equal(ask.questions.length, 0);
    // A tool's ask, or that of a tool that needs a person, makes a question of what the rules allow.
    const asking: GateTool = {
      checkPermissions: () => ({ decision: "ask", reason: "it is large" }),
    };
    for (const tool of [asking, { ...asking, needsPerson: true }]) {
      const tools = { Bash: tool };
      const limited = gateOf(POLICY, { ...parts, tools }).child({ policy: "inherit-allowlist" });
      for (const each of [limited, limited.child({ policy: "inherit" })]) {
        const { reason, ...denied } = await each.decide(bash("ls -l"));
        assert.equal(`${denied.decision} ${denied.decidedBy}`, "deny headless", name);
        assert.equal(reason, "this sub-agent runs only calls that the rules allow; it is large");
      }
    }
  }
});

test("inherit-allowlist asks nobody about a protected file", async () => {
  const ask = person("allow-once");
  const child = gateOf(policyWith("allow Write"), { ask }).child({ policy: "inherit-allowlist" });
  assert.equal(ended(await child.decide(write("a"))), "allow rule");
  assert.equal(ended(await child.decide(write(".git/config"))), "deny headless");
});

test("deny: modes and models still answer, nobody is asked", async () => {
  const ask = person("allow-once");
  const gate = gateOf(POLICY, { mode: "acceptEdits", ask, autoAllow: true });
  const child = gate.child({ policy: "deny" });
  assert.equal(ended(await child.decide(write("a"))), "allow mode");
  const denied = await child.decide(bash("make"));
  assert.equal(ended(denied), "deny headless");
  assert.match(denied.reason, /^nobody is asked for this sub-agent; /);
  assert.equal(ask.questions.length, 0);
});

test("preapproved: only the calls of its list, each judged by the parent's rules too", async () => {
  const ask = person("deny-once");
  const gate = gateOf(POLICY, { ask });
  const allow = ["Bash(ls:*)", "Bash(rm:*)", "Bash(git push:*)"];
  const child = gate.child({ policy: "preapproved", allow });
  assert.equal(ended(await child.decide(bash("ls -l"))), "allow rule");
  assert.equal(ended(await child.decide(bash("rm x"))), "deny rule");
  assert.equal(ended(await child.decide(bash("git push"))), "deny ask");
  const other = await child.decide(bash("ls; make"));
  assert.equal(ended(other), "deny rule");
  assert.equal(other.reason, "it is not one of the calls that this sub-agent may make");
  assert.equal(ended(await child.decide(bash("cd web"))), "deny rule");
  assert.equal(ended(await child.decide({ tool: "Read", input: { path: "a" } })), "deny rule");
  const within = child.child({ policy: "preapproved", allow: ["Read", "Bash(ls -l:*)"] });
  assert.equal(ended(await within.decide(bash("ls -l"))), "allow rule");
  assert.equal(ended(await within.decide(bash("ls"))), "deny rule");
  assert.equal(ended(await within.decide({ tool: "Read", input: { path: "a" } })), "deny rule");
});

test("preapproved holds in bypass too", async () => {
  const gate = gateOf(POLICY, { mode: modeOf("bypassPermissions") });
  const child = gate.child({ policy: "preapproved", allow: ["Bash(ls:*)"] });
  assert.equal(ended(await child.decide(bash("make"))), "deny rule");
});

test("prompt: its own person is asked, and nothing is kept of the answer", async () => {
  const [parent, own] = [person("deny-once"), person("allow-always")];
  const gate = gateOf(POLICY, { ask: parent, autoAllow: false });
  const child = gate.child({ policy: "prompt", ask: own });
  const decision = await child.decide(bash("git push"));
  assert.equal(ended(decision), "allow ask");
  assert.deepEqual(decision.warnings, [
    "The answer is not kept: it applies to this call only",
  ]);
  assert.deepEqual(gate.sessionRules, []);
  assert.deepEqual([parent.questions.length, own.questions.length], [0, 1]);
  await child.child().decide(bash("make"));
  assert.deepEqual([gate.sessionRules, own.questions[1]?.scopes], [[], []]);
  assert.equal(ended(await child.decide(bash("rm x"))), "deny rule");
});

test("prompt: a flag of the parent does not answer in that person's place", async () => {
  const own = person("deny-once");
  const child = gateOf(POLICY, { autoAllow: true }).child({ policy: "prompt", ask: own });
  assert.equal(ended(await child.decide(bash("make"))), "deny ask");
});

test("prompt: what its own handler allows is no approval that auto mode waits for", async () => {
  const classifier = auto("soft_deny");
  const gate = gateOf(POLICY, { mode: modeOf("auto"), classifier, ask: person("allow-once") });
  const child = gate.child({ policy: "prompt", ask: person("allow-once") });
  assert.equal(ended(await child.decide(bash("make"))), "allow ask");
  assert.equal(ended(await child.child().decide(bash("make"))), "allow ask");
  assert.ok(!classifier.told.includes("approved"));
  assert.equal(ended(await gate.child().decide(bash("make"))), "allow ask");
  assert.equal(classifier.told.filter((each) => each === "approved").length, 1);
});

test("what a parent may not, its sub-agent may not either", async () => {
  const own = person("allow-once");
  const headless = gateOf(POLICY, { headless: true }).child({ policy: "prompt", ask: own });
  assert.equal(ended(await headless.decide(bash("make"))), "deny headless");
  for (const policy of ["deny", "inherit-allowlist"] as const) {
    const parent = gateOf(POLICY, { ask: own }).child({ policy });
    for (const child of [parent.child(), parent.child({ policy: "prompt", ask: own })]) {
      assert.equal(ended(await child.decide(bash("make"))), "deny headless");
    }
  }
  assert.equal(own.questions.length, 0);
});

test("a sub-agent has its own name in the audit log", async () => {
  const lines: string[] = [];
  const audit = { append: (line: string) => Promise.resolve(void lines.push(line)) };
  const gate = gateOf(POLICY, { audit, now: () => 0, agent: "main" });
  await gate.child({ name: "reviewer" }).decide(bash("ls"));
  await gate.child().decide(bash("ls"));
  assert.deepEqual(lines.map((line) => JSON.parse(line).agent), ["reviewer", "main"]);
});

test("options that do not fit together are wrong use", () => {
  const gate = gateOf(POLICY);
  const wrong = [
    { policy: "preapproved" },
    { policy: "prompt" },
    { policy: "deny", ask: person("allow-once") },
    { allow: ["Bash"] },
    { policy: "preapproved", allow: ["Bash("] },
    { policy: "preapproved", allow: ["Unheard:x"] },
    { policy: "sure" },
  ];
  for (const options of wrong) {
    assert.throws(() => gate.child(odd(options)), TypeError, JSON.stringify(options));
  }
});
