import assert from "node:assert/strict";
import { test } from "node:test";
import { z } from "zod";
import {
  auto,
  bash,
  ended,
  gateOf,
  hooks,
  modeOf,
  odd,
  person,
  policyWith,
  stages,
  write,
} from "./scene.ts";

const MODES = [
  "default",
  "acceptEdits",
  "plan",
  "auto",
  "dontAsk",
  "bypassPermissions",
  "disabled",
] as const;

for (const name of MODES) {
  test(`a hook's deny stands in ${name}`, async () => {
    const run = hooks({ decision: "deny", reason: "not on Fridays" });
    const gate = gateOf(policyWith("allow Bash"), { mode: modeOf(name), hooks: run });
    const decision = await gate.decide(bash("make"));
    assert.equal(ended(decision), "deny hook");
    assert.equal(decision.reason, "not on Fridays");
    assert.equal(decision.mode, name);
    assert.deepEqual(stages(decision), ["input:passes", "hooks:deny", "decision:deny"]);
    assert.equal(decision.verdict.action, "allow");
  });

  test(`a hook's ask stands in ${name}`, async () => {
    const run = hooks({ decision: "ask", reason: "it took too long" });
    const gate = gateOf(policyWith("allow Bash"), {
      mode: modeOf(name),
      hooks: run,
      autoAllow: true,
      classifier: auto("allow"),
    });
    const decision = await gate.decide(bash("make"));
    assert.equal(ended(decision), "ask hook");
    assert.equal(decision.reason, "it took too long");
  });
}

test("nobody answers a hook's ask where nobody can be asked", async () => {
  const run = hooks({ decision: "ask" });
  const gate = gateOf(policyWith("allow Bash"), { hooks: run, headless: true });
  assert.equal(ended(await gate.decide(bash("make"))), "deny headless");
});

test("a hook's ask is answered by a person, each time anew", async () => {
  const ask = person("allow-always");
  const gate = gateOf(policyWith("allow Bash"), { hooks: hooks({ decision: "ask" }), ask });
  for (let times = 0; times < 2; times++) {
    const decision = await gate.decide(bash("make"));
    assert.equal(ended(decision), "allow ask");
    assert.deepEqual(decision.warnings, [
      "The answer is not kept: it applies to this call only",
    ]);
  }
  assert.deepEqual(ask.questions.map(({ scopes }) => scopes), [[], []]);
  assert.equal(ask.questions[0]?.reason, "a hook says ask");
});

const ALLOWS = hooks({ decision: "allow", reason: "known" });
const answers = [
  { rules: [], call: bash("make"), end: "allow hook" },
  { rules: ["ask Bash"], call: bash("make"), end: "allow hook" },
  { rules: ["ask B*"], call: bash("make"), end: "allow hook" },
  { rules: ["ask Bash:make *"], call: bash("make"), end: "ask rule" },
  { rules: ["ask Bash:make *", "allow Bash"], call: bash("ls; make"), end: "ask rule" },
  { rules: ["deny Bash:make *"], call: bash("make"), end: "deny rule" },
  { rules: ["deny Bash:make *"], call: bash("ls; make"), end: "deny rule" },
  { rules: ["allow Write"], call: write(".git/config"), end: "ask safety" },
  { rules: ["deny Bash:rm -rf *"], call: bash('rm "$@"'), end: "ask safety" },
  { rules: ["deny Odd:x"], call: { tool: "Odd", input: {} }, end: "ask safety" },
  { rules: ["deny Read:**/.env"], call: bash('cat "$f"'), end: "ask rule" },
  { rules: [], call: bash('cat "$f"'), end: "allow hook" },
] as const;

for (const { rules, call, end } of answers) {
  test(`a hook's allow: ${rules.join(", ") || "built-in rules"}: ${JSON.stringify(call.input)}`, async () => {
    const gate = gateOf(policyWith(...rules), { hooks: ALLOWS });
    assert.equal(ended(await gate.decide(call)), end);
  });
}

test("a hook's allow lifts no deny of the mode, and spares the model", async () => {
  const plan = gateOf(policyWith(), { hooks: ALLOWS, mode: modeOf("plan") });
  assert.equal(ended(await plan.decide(bash("make"))), "deny mode");
  const classifier = auto("hard_deny");
  const asked = gateOf(policyWith(), { hooks: ALLOWS, mode: modeOf("auto"), classifier });
  assert.equal(ended(await asked.decide(bash("make"))), "allow hook");
  assert.equal(classifier.questions.length, 0);
});

test("a hook is told the call, the mode and the session", async () => {
  const run = hooks({});
  const gate = gateOf(policyWith(), { hooks: run, mode: modeOf("plan"), session: "s1" });
  await gate.decide({ ...bash("make"), cwd: "/workspace/web" }, { callId: "c1" });
  assert.deepEqual(run.events, [{
    event: "PreToolUse",
    sessionId: "s1",
    cwd: "/workspace",
    mode: "plan",
    call: { ...bash("make"), cwd: "/workspace/web" },
    callId: "c1",
  }]);
});

test("what a hook warns of is a warning", async () => {
  const gate = gateOf(policyWith("allow Bash"), { hooks: hooks({ warnings: ["odd"] }) });
  assert.deepEqual((await gate.decide(bash("make"))).warnings, ["odd"]);
});

/** Another command, once. */
const changing = (to: string) =>
  hooks(({ command }) =>
    command === to ? {} : { updatedInput: { command: to }, decision: "allow" }
  );

test("another input is judged from the start", async () => {
  const gate = gateOf(policyWith("allow Bash:make", "deny Bash:rm *"), { hooks: changing("rm x") });
  const decision = await gate.decide(bash("make"));
  assert.equal(ended(decision), "deny rule");
  assert.deepEqual(decision.call, bash("rm x"));
  assert.deepEqual(stages(decision), [
    "input:passes",
    "hooks:changed",
    "input:passes",
    "hooks:passes",
    "rules:deny",
    "mode:deny",
    "decision:deny",
  ]);
  assert.deepEqual(decision.trace.map(({ round }) => round), [1, 1, 2, 2, 2, 2, 2]);
});

test("an allow beside another input was for the input that it replaces", async () => {
  const decision = await gateOf(policyWith(), { hooks: changing("ls") }).decide(bash("make"));
  assert.equal(ended(decision), "ask rule");
});

test("an ask of an earlier round stays", async () => {
  const run = hooks(({ command }) =>
    command === "ls" ? { decision: "allow" } : { updatedInput: { command: "ls" }, decision: "ask" }
  );
  const decision = await gateOf(policyWith("allow Bash"), { hooks: run }).decide(bash("make"));
  assert.equal(ended(decision), "ask hook");
  assert.deepEqual(decision.call, bash("ls"));
});

test("another input is what the tool's schema must take", async () => {
  const schema = z.object({ command: z.string().max(4) });
  const run = changing("make all");
  const gate = gateOf(policyWith("allow Bash"), { hooks: run, tools: { Bash: { schema } } });
  const decision = await gate.decide(bash("make"));
  assert.equal(ended(decision), "deny tool");
  assert.deepEqual(stages(decision).slice(-3), ["hooks:changed", "input:deny", "decision:deny"]);
});

test("after three rounds it is an ask", async () => {
  const run = hooks(({ command }) => ({ updatedInput: { command: `${command}!` } }));
  const gate = gateOf(policyWith("allow Bash"), { hooks: run, mode: modeOf("dontAsk") });
  const decision = await gate.decide(bash("make"));
  assert.equal(ended(decision), "ask hook");
  assert.equal(decision.reason, "hooks still change the input after 3 rounds");
  assert.equal(run.events.length, 3);
  assert.deepEqual(decision.call, bash("make!!"));
});

test("the same input in another order is no other input", async () => {
  const run = hooks({ updatedInput: { timeout: 5, command: "make" } });
  const gate = gateOf(policyWith("allow Bash"), { hooks: run });
  const decision = await gate.decide({ tool: "Bash", input: { command: "make", timeout: 5 } });
  assert.equal(ended(decision), "allow rule");
  assert.equal(run.events.length, 1);
});

test("an input that is no JSON object is a deny", async () => {
  for (const updatedInput of [null, [], "x", { at: undefined, of: () => 5 }]) {
    const run = hooks({ updatedInput: odd(updatedInput) });
    assert.equal(
      ended(await gateOf(policyWith("allow Bash"), { hooks: run }).decide(bash("ls"))),
      "deny hook",
    );
  }
});

test("a call that ran is told to the hooks, and to auto mode unless it is known to be read-only", async () => {
  const run = hooks({ warnings: ["late"] });
  const classifier = auto("allow");
  const gate = gateOf(policyWith(), { hooks: run, classifier, session: "s1" });
  const outcome = await gate.afterCall(write("a"), { response: { ok: true }, callId: "c1" });
  assert.deepEqual(outcome.warnings, ["late"]);
  assert.deepEqual(run.events, [{
    event: "PostToolUse",
    sessionId: "s1",
    cwd: "/workspace",
    mode: "default",
    call: write("a"),
    response: { ok: true },
    callId: "c1",
  }]);
  await gate.afterCall(bash("make"));
  await gate.afterCall(bash("echo a > b"));
  await gate.afterCall({ tool: "mcp__x__run", input: {} });
  assert.deepEqual(classifier.told, ["edited", "edited", "edited", "edited"]);
  for (const command of ["git status", "pwd", "cd src && echo done"]) {
    await gate.afterCall(bash(command));
  }
  await gate.afterCall({ tool: "Read", input: { path: "a" } });
  assert.equal(classifier.told.length, 4);
  assert.equal((await gateOf(policyWith()).afterCall(write("a"))).decision, "proceed");
});
