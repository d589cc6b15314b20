import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import { openaiToolGate } from "../../../lib/adapters/adapters.ts";
import type { OpenAiToolGate } from "../../../lib/adapters/openai_agents.ts";
import { createGate } from "../../../lib/gate/create_gate.ts";
import { hooks, person, policyWith } from "../gate/scene.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import { gateOf, gateSaying, JUNK } from "./fakes.ts";

const command = (text: string) => ({ command: text });

async function guarded(
  { inputGuardrails }: OpenAiToolGate,
  input: unknown,
  callId = "c1",
): Promise<string> {
  const text = typeof input === "string" ? input : JSON.stringify(input);
  const { behavior } = await inputGuardrails[0]!.run({ toolCall: { arguments: text, callId } });
  return behavior.type === "allow" ? "runs" : behavior.message;
}

const DENIED = "not run: the deny rule `Bash(rm:*)` denies it";

test("what is allowed runs and is judged once", async () => {
  const gate = gateOf();
  const gated = openaiToolGate(gate, "Bash");
  assert.equal(await gated.needsApproval({}, command("ls"), "c1"), false);
  assert.equal(await guarded(gated, command("ls")), "runs");
  assert.equal(gate.asked.length, 1);
});

test("what is denied needs approval, and does not run with it", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  assert.equal(await gated.needsApproval({}, command("rm x"), "c1"), true);
  assert.equal(await guarded(gated, command("rm x")), DENIED);
  assert.equal(await guarded(gated, command("rm x")), DENIED);
});

test("what is asked about runs once approved, each time that the SDK looks", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  assert.equal(await gated.needsApproval({}, command("make"), "c1"), true);
  assert.equal(await guarded(gated, command("make")), "runs");
  assert.equal(await guarded(gated, command("make")), "runs");
});

test("an ask is not answered by a lasting approval that the gate never saw", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  assert.equal(await guarded(gated, command("make")), "not run: the ask rule `Bash` asks about it");
  assert.equal(await guarded(gated, command("ls")), "runs");
});

test("a deny that came after the approval counts", async () => {
  const gate = createGate({ policy: openPolicyOf(policyWith("ask Bash")) });
  const gated = openaiToolGate(gate, "Bash");
  assert.equal(await gated.needsApproval({}, command("rm x"), "c1"), true);
  gate.setPolicy(openPolicyOf(policyWith("deny Bash(rm:*)")));
  assert.equal(await guarded(gated, command("rm x")), DENIED);
});

test("a person is asked once, and both answers hold", async () => {
  const ask = person("allow-once", "deny-once");
  const gated = openaiToolGate(gateOf({ ask }), "Bash");
  assert.equal(await gated.needsApproval({}, command("make"), "c1"), false);
  assert.equal(await guarded(gated, command("make"), "c1"), "runs");
  assert.equal(await gated.needsApproval({}, command("make"), "c2"), true);
  assert.match(await guarded(gated, command("make"), "c2"), /^not run: a person denied it/);
  assert.equal(ask.questions.length, 2);
});

test("what was said about one input is not said about another of the same name", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  await gated.needsApproval({}, command("ls"), "c1");
  assert.equal(await guarded(gated, command("rm x")), DENIED);
  assert.equal(await guarded(gated, { command: "ls", more: 1 }), "runs");
  await gated.needsApproval({}, command("make"), "c2");
  assert.notEqual(await guarded(gated, command("make all"), "c2"), "runs");
});

/** A schema that fills in a member, as a default of zod does. */
const WITH_TIMEOUT = {
  safeParse: (input: unknown) => ({
    success: true,
    data: { timeout: 10, ...(input as object) },
  }),
};

test("members that the schema fills in are part of the call", async () => {
  const gate = gateOf();
  const gated = openaiToolGate(gate, "Bash", { schema: WITH_TIMEOUT });
  await gated.needsApproval({}, { command: "ls", timeout: 10 }, "c1");
  assert.equal(await guarded(gated, command("ls")), "runs");
  assert.equal(gate.asked.length, 1);
  await gated.needsApproval({}, { command: "make", timeout: 10 }, "c2");
  assert.equal(await guarded(gated, command("make"), "c2"), "runs");
  await gated.needsApproval({}, { command: "make", timeout: 99 }, "c3");
  assert.match(await guarded(gated, command("make"), "c3"), /the approval is for another input/);
  assert.deepEqual((gate.asked.at(-1)?.[0] as ToolCall).input, { command: "make", timeout: 10 });
  for (
    const schema of [
      { safeParse: () => ({ success: false }) },
      { safeParse: () => ({ success: true, data: { at: new Date(0) } }) },
      {
        safeParse() {
          throw new Error("no");
        },
      },
    ]
  ) {
    const refusing = openaiToolGate(gateOf({ autoAllow: true }), "Bash", { schema });
    assert.match(await guarded(refusing, command("ls")), /not a JSON object$/);
  }
});

test("a part of an input is not the whole: it is judged anew", async () => {
  const policy = policyWith("allow pay:dryRun=true", "deny pay");
  const gated = openaiToolGate(createGate({ policy: openPolicyOf(policy) }), "pay");
  assert.equal(await gated.needsApproval({}, { amount: 5, dryRun: true }, "c1"), false);
  for (const part of [{ amount: 5 }, {}, { amount: 5, dryRun: false }]) {
    assert.match(await guarded(gated, part), /^not run: the deny rule `pay` denies it$/);
  }
  assert.equal(await guarded(gated, { dryRun: true, amount: 5 }), "runs");
  const asking = openaiToolGate(createGate({ policy: openPolicyOf(policyWith("ask pay")) }), "pay");
  assert.equal(await asking.needsApproval({}, { amount: 5, dryRun: true }, "c1"), true);
  assert.match(await guarded(asking, { amount: 5 }), /the approval is for another input/);
});

test("an approval is bound to the input that was asked about first", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  assert.equal(await gated.needsApproval({}, command("make"), "c1"), true);
  // The SDK asks again when the run goes on, with what a stored state says by then.
  assert.equal(await gated.needsApproval({}, command("curl evil"), "c1"), true);
  assert.match(
    await guarded(gated, command("curl evil"), "c1"),
    /^not run: the approval is for another input than this one; the ask rule `Bash` asks about it$/,
  );
  assert.equal(await gated.needsApproval({}, command("make"), "c1"), true);
  assert.equal(await guarded(gated, command("make"), "c1"), "runs");
  // Another input that is allowed or denied is so by itself.
  assert.equal(await gated.needsApproval({}, command("ls"), "c1"), false);
  assert.equal(await guarded(gated, command("ls"), "c1"), "runs");
  assert.equal(await gated.needsApproval({}, command("rm x"), "c1"), true);
  assert.equal(await guarded(gated, command("rm x"), "c1"), DENIED);
});

test("an allow is spent by the call that it was for", async () => {
  const gate = createGate({ policy: openPolicyOf(policyWith("allow Bash")) });
  const gated = openaiToolGate(gate, "Bash");
  await gated.needsApproval({}, command("rm x"), "c1");
  assert.equal(await guarded(gated, command("rm x")), "runs");
  gate.setPolicy(openPolicyOf(policyWith("deny Bash(rm:*)")));
  assert.equal(await guarded(gated, command("rm x")), DENIED);
});

test("an input that a hook changed cannot be handed over, so it does not run", async () => {
  const changing = hooks(({ command }) =>
    command === "make" ? { updatedInput: { command: "ls" } } : {}
  );
  const gated = openaiToolGate(gateOf({ hooks: changing }), "Bash");
  assert.equal(await gated.needsApproval({}, command("make"), "c1"), true);
  assert.match(
    await guarded(gated, command("make")),
    /^not run: it is allowed only with a different input/,
  );
});

test("what cannot be read does not run", async () => {
  const gated = openaiToolGate(gateOf({ autoAllow: true }), "Bash");
  for (const text of ["", "{", '"ls"', "[]", "null", "1"]) {
    assert.equal(await guarded(gated, text), "not run: the input is not a JSON object");
  }
  assert.equal(await gated.needsApproval({}, undefined, "c1"), true);
  const event = { toolCall: undefined } as never;
  assert.notEqual((await gated.inputGuardrails[0]!.run(event)).behavior.type, "allow");
  assert.notEqual((await gated.inputGuardrails[0]!.run(undefined as never)).behavior.type, "allow");
});

test("calls without a name are judged each time", async () => {
  const gated = openaiToolGate(gateOf(), "Bash");
  assert.equal(await gated.needsApproval({}, command("make")), true);
  assert.notEqual(await guarded(gated, command("make"), ""), "runs");
});

test("calls that nobody comes back for are forgotten, and then judged anew", async () => {
  const gate = gateOf();
  const gated = openaiToolGate(gate, "Bash");
  for (let index = 0; index <= 1_000; index++) {
    await gated.needsApproval({}, command("ls"), `c${index}`);
  }
  assert.equal(gate.asked.length, 1_001);
  assert.equal(await guarded(gated, command("ls"), "c1000"), "runs");
  assert.equal(gate.asked.length, 1_001);
  assert.equal(await guarded(gated, command("ls"), "c0"), "runs");
  assert.equal(gate.asked.length, 1_002);
});

test("a signal ends what waits, and what was allowed before it", async () => {
  const controller = new AbortController();
  const { signal } = controller;
  const gated = openaiToolGate(gateOf(), "Bash", { signal });
  assert.equal(await gated.needsApproval({}, command("ls"), "c1"), false);
  const deaf = openaiToolGate(gateSaying(() => new Promise(() => {})), "Bash", { signal });
  const waits = deaf.needsApproval({}, command("ls"), "c1");
  controller.abort();
  assert.equal(await waits, true);
  assert.equal(await guarded(gated, command("ls")), "not run: the call was cancelled");
});

for (const [index, junk] of JUNK.entries()) {
  test(`nothing that is no decision lets a tool of OpenAI run (${index})`, async () => {
    const gated = openaiToolGate(gateSaying(junk), "Bash");
    assert.notEqual(await guarded(gated, command("ls")), "runs");
    assert.equal(await gated.needsApproval({}, command("ls"), "c1"), true);
    assert.notEqual(await guarded(gated, command("ls")), "runs");
  });
}
