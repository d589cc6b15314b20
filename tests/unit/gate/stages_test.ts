import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import { z } from "zod";
import type { GateTool } from "../../../lib/gate/gate_parts.ts";
import { STAGES } from "../../../lib/gate/stages/run_stages.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import {
  auto,
  bash,
  ended,
  gateOf,
  hooks,
  later,
  modeOf,
  odd,
  person,
  policyWith,
  stages,
  write,
} from "./scene.ts";

const passing: GateTool = {
  validateInput: () => undefined,
  checkPermissions: () => ({ decision: "passthrough" }),
};

test("the stages stand in the order of the specification", () => {
  assert.deepEqual(STAGES.map(({ name }) => name), [
    "input",
    "tool-input",
    "hooks",
    "rules",
    "tool-permissions",
    "mode",
    "classifier",
    "ask",
  ]);
});

test("the trace has every stage that ran, in order", async () => {
  const gate = gateOf(policyWith(), {
    mode: modeOf("auto"),
    classifier: auto("soft_deny"),
    ask: person("allow-once"),
    hooks: hooks({}),
    tools: { Bash: passing },
  });
  const decision = await gate.decide(bash("make"));
  assert.deepEqual(stages(decision), [
    "input:passes",
    "tool-input:passes",
    "hooks:passes",
    "rules:ask",
    "tool-permissions:passes",
    "mode:ask",
    "classifier:ask",
    // The model took its time, and so did the person: each time the rules are asked again.
    "rules:ask",
    "mode:ask",
    "classifier:ask",
    "ask:allow",
    "rules:ask",
    "mode:allow",
    "classifier:passes",
    "decision:allow",
  ]);
  assert.equal(decision.trace.at(-1)?.decidedBy, "ask");
  assert.equal(decision.trace.find(({ stage }) => stage === "rules")?.policyVersion, 1);
});

test("a stage without anything to say does not run", async () => {
  const decision = await gateOf(policyWith("allow Bash(make:*)")).decide(bash("make"));
  assert.deepEqual(stages(decision), [
    "input:passes",
    "rules:allow",
    "mode:allow",
    "decision:allow",
  ]);
  assert.equal(ended(decision), "allow rule");
});

test("without a handler a question stays a question", async () => {
  assert.equal(ended(await gateOf(policyWith()).decide(bash("make"))), "ask rule");
});

test("a schema refuses an input with zod's own words, and nothing else runs", async () => {
  const run = hooks({ decision: "allow" });
  const schema = z.strictObject({ command: z.string().max(5) });
  const gate = gateOf(policyWith("allow Bash"), { hooks: run, tools: { Bash: { schema } } });
  const decision = await gate.decide(bash("make all"));
  assert.equal(ended(decision), "deny tool");
  assert.match(decision.reason, /^the input is not valid for Bash: command: Too big/);
  assert.deepEqual(stages(decision), ["input:deny", "decision:deny"]);
  assert.equal(run.events.length, 0);
});

test("the faults of a schema are told as far as they have a form", async () => {
  const rows: readonly (readonly [answer: unknown, told: string])[] = [
    [undefined, ""],
    [null, ""],
    [{ success: false }, ""],
    [{ success: false, error: null }, ""],
    [{ success: false, error: "no" }, ""],
    [{ success: false, error: { issues: "no" } }, ""],
    [{ success: false, error: { issues: [null, "x", { message: 1 }] } }, ""],
    [{ success: false, error: { issues: [null, { message: "bad" }] } }, ": bad"],
    [{ success: false, error: { issues: [{ message: "bad", path: ["a", 0] }] } }, ": a.0: bad"],
    [
      { success: false, error: { issues: Array(7).fill({ message: "b", path: 1 }) } },
      ": b; b; b; b; b",
    ],
  ];
  for (const [answer, told] of rows) {
    const tools = { Bash: { schema: { safeParse: () => odd<{ success: false }>(answer) } } };
    const decision = await gateOf(policyWith("allow Bash"), { tools }).decide(bash("make"));
    assert.equal(ended(decision), "deny tool");
    assert.equal(decision.reason, `the input is not valid for Bash${told}`);
  }
});

test("what the schema makes of the input is judged and given back", async () => {
  const schema = z.object({ command: z.string().trim().default("make") });
  const gate = gateOf(policyWith("allow Bash:make"), { tools: { Bash: { schema } } });
  for (const input of [{}, { command: "  make " }, { command: "make", more: 1 }]) {
    const decision = await gate.decide({ tool: "Bash", input });
    assert.equal(ended(decision), "allow rule");
    assert.deepEqual(decision.call, bash("make"));
  }
});

test("what a schema makes that is no JSON leaves the input as it was given", async () => {
  const schema = z.object({ command: z.string().transform((text) => new Date(text)) });
  const gate = gateOf(policyWith("allow Bash:2026-01-01"), { tools: { Bash: { schema } } });
  const decision = await gate.decide(bash("2026-01-01"));
  assert.equal(ended(decision), "allow rule");
  assert.deepEqual(decision.call, bash("2026-01-01"));
});

test("a tool refuses an input of its own", async () => {
  const tools = { Bash: { validateInput: () => Promise.resolve("no such file") } };
  const decision = await gateOf(policyWith("allow Bash"), { tools }).decide(bash("make"));
  assert.equal(ended(decision), "deny tool");
  assert.equal(decision.reason, "no such file");
  assert.deepEqual(stages(decision), ["input:passes", "tool-input:deny", "decision:deny"]);
});

test("an input that is no JSON object is a deny", async () => {
  const loop: Record<string, unknown> = {};
  loop.self = loop;
  const gate = gateOf(policyWith("allow *"), { hooks: hooks({ decision: "allow" }) });
  for (const input of [null, [], "make", 5, { at: new Date(0) }, { of: Number.NaN }, loop]) {
    const decision = await gate.decide({ tool: "Bash", input: odd(input) });
    assert.equal(ended(decision), "deny tool", JSON.stringify(decision.call));
    assert.deepEqual(stages(decision), ["input:deny", "decision:deny"]);
  }
});

test("a call without a name is wrong use", async () => {
  const gate = gateOf(policyWith("allow *"));
  await assert.rejects(gate.decide({ tool: "", input: {} }), TypeError);
  await assert.rejects(gate.decide({ tool: odd(5), input: {} }), TypeError);
  await assert.rejects(gate.decide({ tool: "Bash", input: {}, cwd: odd(5) }), TypeError);
});

test("the call that is judged is a copy that nobody can change", async () => {
  const input = { command: "make", list: ["a"] };
  const handler = person("allow-once");
  const ask = {
    ask(...given: Parameters<typeof handler.ask>) {
      input.command = "rm -rf /";
      input.list.push("b");
      return handler.ask(...given);
    },
  };
  const decision = await gateOf(policyWith(), { ask }).decide({ tool: "Bash", input });
  assert.deepEqual(decision.call, { tool: "Bash", input: { command: "make", list: ["a"] } });
  assert.ok(Object.isFrozen(decision.call.input) && Object.isFrozen(decision.call.input.list));
});

test("tools are looked up by their own names only", async () => {
  const gate = gateOf(policyWith("allow *"), { tools: { Bash: passing } });
  for (const tool of ["constructor", "__proto__", "toString"]) {
    assert.equal(ended(await gate.decide({ tool, input: {} })), "allow rule");
  }
});

const thrown = new Error("a bug");
const fail = () => {
  throw thrown;
};
const broken = {
  "the schema": { parts: { tools: { Bash: { schema: { safeParse: fail } } } }, stage: "input" },
  "validateInput": { parts: { tools: { Bash: { validateInput: fail } } }, stage: "tool-input" },
  "the hooks": { parts: { hooks: { run: fail } }, stage: "hooks" },
  "the clock": { parts: { now: fail }, stage: "rules" },
  "checkPermissions": {
    parts: { tools: { Bash: { checkPermissions: fail } } },
    stage: "tool-permissions",
  },
  "the ask handler": { parts: { ask: { ask: () => Promise.reject(thrown) } }, stage: "ask" },
} as const;

for (const [name, { parts, stage }] of Object.entries(broken)) {
  test(`a bug in ${name} is a deny with its cause`, async () => {
    const decision = await gateOf(policyWith(), parts).decide(bash("make"));
    assert.equal(ended(decision), "deny safety");
    assert.equal(decision.cause, thrown);
    assert.deepEqual(stages(decision).slice(-2), [`${stage}:failed`, "decision:deny"]);
    assert.equal(
      decision.reason,
      `the call cannot be decided: the stage ${stage} failed: a bug`,
    );
  });
}

test("a bug in auto mode is a soft denial", async () => {
  const classifier = auto(() => Promise.reject(thrown));
  const parts = { mode: modeOf("auto"), classifier } as const;
  const decision = await gateOf(policyWith(), parts).decide(bash("make"));
  assert.equal(ended(decision), "ask fallback");
  assert.match(decision.reason, /^asking auto mode failed: a bug; /);
});

test("a bug in the mode's handle is a deny", async () => {
  const mode = modeOf("bypassPermissions");
  const gate = gateOf(policyWith("allow Bash"), { mode });
  mode.set(odd("unheard"));
  assert.equal(ended(await gate.decide(bash("make"))), "deny safety");
});

test("answers that are none are denies", async () => {
  const policy = policyWith("allow Bash:make");
  for (const answer of [undefined, {}, { decision: "sure" }, "allow"]) {
    const checkPermissions = () => odd<{ decision: "allow" }>(answer);
    const tool = gateOf(policy, { tools: { Bash: { checkPermissions } } });
    assert.equal((await tool.decide(bash("make"))).decision, "deny");
    const hook = gateOf(policy, { hooks: { run: () => Promise.resolve(odd(answer)) } });
    assert.equal((await hook.decide(bash("make"))).decision, "deny");
    const ask = gateOf(policy, { ask: { ask: () => Promise.resolve(odd(answer)) } });
    assert.equal((await ask.decide(bash("ls"))).decision, "deny");
    const said = () => Promise.resolve(odd<never>(answer));
    const asked = gateOf(policy, { mode: "auto", classifier: auto(said) });
    assert.equal((await asked.decide(bash("ls"))).decision, "ask");
  }
  const validateInput = () => odd<string>({ ok: false });
  const input = gateOf(policy, { tools: { Bash: { validateInput } } });
  assert.equal((await input.decide(bash("make"))).decision, "deny");
});

test("when it is aborted it rejects with the signal's reason", async () => {
  const reason = new Error("enough");
  const waits = {
    "the hooks": { hooks: { run: () => later<never>().promise } },
    "the handler": { ask: { ask: () => later<never>().promise } },
    "auto mode": { mode: "auto", classifier: auto(() => later<never>().promise) },
    "the tool": { tools: { Bash: { checkPermissions: () => later<never>().promise } } },
    "the log": { now: () => 0, audit: { append: () => later<never>().promise } },
  } as const;
  for (const [name, parts] of Object.entries(waits)) {
    const controller = new AbortController();
    const decision = gateOf(policyWith(), parts).decide(bash("make"), {
      signal: controller.signal,
    });
    await new Promise((resolve) => setTimeout(resolve));
    controller.abort(reason);
    await assert.rejects(decision, (error) => error === reason, name);
  }
});

test("what is aborted already asks nobody", async () => {
  const ask = person("allow-once");
  const signal = AbortSignal.abort("gone");
  const decision = gateOf(policyWith(), { ask }).decide(bash("make"), { signal });
  await assert.rejects(decision, (error) => error === "gone");
  assert.equal(ask.questions.length, 0);
});

test("an answer that comes after the abort allows and keeps nothing", async () => {
  const controller = new AbortController();
  const ask = {
    ask() {
      controller.abort("gone");
      return Promise.resolve({ kind: "allow-always", pattern: "Bash:make" } as const);
    },
  };
  const gate = gateOf(policyWith(), { ask });
  const decision = gate.decide(bash("make"), { signal: controller.signal });
  await assert.rejects(decision, (error) => error === "gone");
  assert.deepEqual(gate.sessionRules, []);
});

test("the audit log gets one line a decision, and its failure is a warning", async () => {
  const lines: string[] = [];
  const audit = {
    append(line: string) {
      lines.push(line);
      return lines.length === 1 ? Promise.resolve(undefined) : Promise.reject(new Error("full"));
    },
  };
  const gate = gateOf(policyWith("allow Bash:make"), {
    audit,
    now: () => 0,
    session: "s1",
    agent: "a1",
  });
  assert.deepEqual((await gate.decide(bash("make"))).warnings, []);
  const second = await gate.decide(write("a"));
  assert.deepEqual(second.warnings, ["The audit log is not written: full"]);
  assert.equal(second.decision, "ask");
  const [first] = lines.map((line) => JSON.parse(line));
  assert.equal(first.time, "1970-01-01T00:00:00Z");
  assert.deepEqual([first.session, first.agent, first.cwd], ["s1", "a1", "/workspace"]);
  assert.deepEqual([first.decision, first.decidedBy], ["allow", "rule"]);
});

test("an audit log needs a clock", () => {
  const audit = { append: () => Promise.resolve(undefined) };
  assert.throws(() => gateOf(policyWith(), { audit }), TypeError);
});

test("an input whose own code throws when it is read is denied", async () => {
  const input = {
    get command(): string {
      throw new Error("not yet");
    },
  };
  const decision = await gateOf(policyWith("allow Bash")).decide({ tool: "Bash", input });
  assert.equal(ended(decision), "deny tool");
  assert.equal(decision.reason, "the input is not a JSON object");
});

test("a policy that says audit_log = true is logged by what the machine has, unless the gate has its own log", async () => {
  const lines: string[] = [];
  const logOf = (name: string) => ({
    append: () => Promise.resolve(void lines.push(name)),
  });
  const machineAudit = logOf("machine");
  const on = policyFromToml("[permissions]\naudit_log = true\n");
  const off = policyFromToml("[permissions]\naudit_log = false\n");
  const gate = gateOf(off, { machineAudit, now: () => 0 });
  await gate.decide(bash("make"));
  assert.deepEqual(lines, []);
  gate.setPolicy(openPolicyOf(on));
  assert.deepEqual((await gate.decide(bash("make"))).warnings, []);
  await gate.child().decide(bash("make"));
  assert.deepEqual(lines, ["machine", "machine"]);
  await gateOf(on, { machineAudit, audit: logOf("own"), now: () => 0 }).decide(bash("make"));
  assert.deepEqual(lines, ["machine", "machine", "own"]);
});

test("a policy that says audit_log = true is never silently without a log", async () => {
  const on = policyFromToml("[permissions]\naudit_log = true\n");
  const gates = [gateOf(on), gateOf(on, { now: () => 0 }), gateOf(on, { machineAudit: failing })];
  for (const gate of gates) {
    const { decision, warnings } = await gate.decide({ tool: "Read", input: { path: "a" } });
    assert.equal(decision, "allow");
    assert.match(warnings.join(), /^The audit log is not written: /);
  }
  const { warnings } = await gateOf(on, { machineAudit: failing, now: () => 0 }).decide(bash("x"));
  assert.deepEqual(warnings, ["The audit log is not written: no --allow-env"]);
});

const failing = { append: () => Promise.reject(new Error("no --allow-env")) };
