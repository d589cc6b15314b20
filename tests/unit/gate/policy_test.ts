import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { AskAnswer } from "../../../lib/model/verdict.ts";
import { bash, ended, gateOf, hooks, later, odd, person, policyWith } from "./scene.ts";

test("a policy that is set while a hook answers counts", async () => {
  const { promise, settle } = later<void>();
  const run = {
    async run() {
      await promise;
      return { decision: "proceed", warnings: [], results: [] } as const;
    },
  };
  const gate = gateOf(policyWith("allow Bash:make"), { hooks: run });
  const before = gate.decide(bash("make"));
  gate.setPolicy(openPolicyOf(policyWith("deny Bash:make")));
  const after = gate.decide(bash("make"));
  settle();
  assert.equal(ended(await before), "deny rule");
  assert.equal(ended(await after), "deny rule");
  assert.deepEqual([(await before).policyVersion, (await after).policyVersion], [2, 2]);
  const versions = [before, after].map(async (decision) =>
    (await decision).trace.find(({ stage }) => stage === "rules")?.policyVersion
  );
  assert.deepEqual(await Promise.all(versions), [2, 2]);
});

test("the session's rules stay when the policy changes", async () => {
  const gate = gateOf(policyWith(), { ask: person("allow-always", "deny-once") });
  await gate.decide(bash("make"));
  gate.setPolicy(openPolicyOf(policyWith("ask Bash:make", "deny Bash:rm *")));
  assert.equal(gate.policyVersion, 3);
  assert.equal(ended(await gate.decide(bash("make"))), "allow rule");
});

test("a policy with which a rule of the session has no meaning is refused", async () => {
  const answer = { kind: "deny-always", pattern: "Odd:sql=x" } as const;
  const gate = gateOf(policyWith(), { ask: person(answer) });
  await gate.decide({ tool: "Odd", input: { sql: "x" } });
  assert.equal(gate.sessionRules.length, 1);
  const broken = policyWith();
  const refusing = Object.assign(Object.create(Object.getPrototypeOf(broken)), broken, {
    sources: broken.sources,
    settings: broken.settings,
    with: () => undefined,
  });
  assert.throws(() => gate.setPolicy(openPolicyOf(refusing)), RangeError);
  assert.equal(gate.policyVersion, 2);
});

test("an answer does not reach calls that are under way", async () => {
  const answers: ((answer: AskAnswer) => void)[] = [];
  const ask = { ask: () => new Promise<AskAnswer>((resolve) => answers.push(resolve)) };
  const gate = gateOf(policyWith(), { ask });
  const calls = [gate.decide(bash("make")), gate.decide(bash("make"))];
  while (answers.length < 2) await Promise.resolve();
  answers[0]!({ kind: "allow-always" });
  assert.equal(ended(await calls[0]!), "allow ask");
  answers[1]!({ kind: "deny-once" });
  assert.equal(ended(await calls[1]!), "deny ask");
  assert.equal(ended(await gate.decide(bash("make"))), "allow rule");
});

test("a thousand calls at once are each answered by their own answer, in any order", async () => {
  const waiting: { readonly command: unknown; readonly answer: (answer: AskAnswer) => void }[] = [];
  const gate = gateOf(policyWith(), {
    hooks: hooks({}),
    ask: {
      ask: ({ call }) =>
        new Promise<AskAnswer>((resolve) =>
          waiting.push({ command: call.input.command, answer: resolve })
        ),
    },
  });
  const commands = Array.from({ length: 1_000 }, (_, index) => `make ${index}`);
  const decisions = commands.map((command) => gate.decide(bash(command)));
  while (waiting.length < commands.length) await new Promise((resolve) => setTimeout(resolve));
  for (const [at, { command, answer }] of waiting.reverse().entries()) {
    const isEven = Number(String(command).split(" ")[1]) % 2 === 0;
    answer(odd({ kind: isEven ? "allow-once" : "deny-once", comment: String(at) }));
  }
  const ends = (await Promise.all(decisions)).map(({ decision, call }) => [decision, call.input]);
  assert.deepEqual(
    ends,
    commands.map((command, index) => [index % 2 === 0 ? "allow" : "deny", { command }]),
  );
});
