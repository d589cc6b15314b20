/** The record of a call that is denied before the rules, and of one whose world changes while a person thinks. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { openPolicyOf } from "../../../lib/decide/policy.ts";
import type { ToolCall } from "../../../lib/model/call.ts";
import type { AskAnswer } from "../../../lib/model/verdict.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";
import { bash, ended, gateOf, odd, person, write } from "./scene.ts";

const WS = "/home/u/ws";
const refusing = { schema: { safeParse: () => ({ success: false }) } };

test("a call that is denied before the rules is recorded with their verdict of that time", async () => {
  const policy = policyOf([
    { pattern: "Bash(make:*)", action: "allow", expiresAt: 100 },
    { pattern: "Bash:rm *", action: "deny" },
  ]);
  const rows = [
    ["make", 99, "allow", "rule"],
    ["make", 100, "ask", "rule"],
    ["make", undefined, "ask", "rule"],
    ["rm x", 99, "deny", "rule"],
  ] as const;
  for (const [command, time, action, by] of rows) {
    const now = time === undefined ? {} : { now: () => time };
    const gate = gateOf(policy, { tools: { Bash: refusing }, ...now });
    const decision = await gate.decide(bash(command));
    assert.equal(ended(decision), "deny tool");
    assert.deepEqual([decision.verdict.action, decision.verdict.by], [action, by], command);
    assert.ok(decision.units.every((unit) => unit.decision === "deny"));
  }
});

test("an input that no rule can read, and rules that cannot be asked, are recorded as unknown", async () => {
  const policy = policyOf([{ pattern: "*", action: "allow" }]);
  const now = () => {
    throw new Error("no clock");
  };
  const faults = [
    await gateOf(policy).decide({ tool: "Bash", input: odd(5) }),
    await gateOf(policy, { now, tools: { Bash: refusing } }).decide(bash("make")),
  ];
  for (const { verdict: { action, by, rule, units, reason } } of faults) {
    assert.deepEqual([action, by, rule], ["ask", "safety", null]);
    assert.deepEqual(units.map((unit) => [unit.action, unit.by]), [["ask", "safety"]]);
    assert.match(
      reason,
      /^the rules cannot be evaluated: (?:the input is not a JSON object|no clock)$/,
    );
  }
});

/** A gate in which the link `a` and the rules change while the person thinks, and what came of a write through it. */
async function written(
  { to, rules, answer = "allow-once" }: {
    readonly to: string;
    readonly rules: readonly TestRule[];
    readonly answer?: AskAnswer["kind"];
  },
) {
  let link = `${WS}/b`;
  const policyNow = (all: readonly TestRule[]) =>
    openPolicyOf(policyOf(all, {
      context: { realPath: (path) => path.replace(`${WS}/a`, link) },
    }));
  const handler = person(answer);
  const gate = gateOf(policyOf([]), {
    policy: policyNow([{ pattern: "Write", action: "ask" }]),
    ask: {
      ask(...given) {
        link = to;
        gate.setPolicy(policyNow(rules));
        return handler.ask(...given);
      },
    },
  });
  return { decision: await gate.decide(write("a/f")), questions: handler.questions };
}

const MOVING: readonly ToolCall[] = [
  write("a/f"),
  bash("zqx 'a'/run"),
  { tool: "mcp__sh__run", input: { command: "./a/run --all" } },
  { tool: "mcp__sh__run", input: { jobs: [{ command: "make", cwd: "a" }] } },
  { tool: "Grep", input: { pattern: "x", glob: "a/*" } },
];

test("a call whose places change with each answer is denied after three questions", async () => {
  for (const call of MOVING) {
    let moves = 0;
    const realPath = (path: string) => path.replace(`${WS}/a`, `${WS}/b${moves}`);
    const policy = policyOf([{ pattern: "*", action: "ask" }], { context: { realPath } });
    const handler = person("allow-once");
    const ask = {
      ask(...given: Parameters<typeof handler.ask>) {
        moves += 1;
        return handler.ask(...given);
      },
    };
    const decision = await gateOf(policy, { ask }).decide(call);
    assert.equal(ended(decision), "deny safety", JSON.stringify(call));
    assert.equal(
      decision.reason,
      "the call's files, rules or mode change faster than a person can answer",
    );
    assert.equal(handler.questions.length, 3);
  }
});

test("a person is shown the places of a call, and allows it there and nowhere else", async () => {
  const allow: readonly TestRule[] = [{ pattern: "Write", action: "allow" }];
  const ask: readonly TestRule[] = [{ pattern: "Write", action: "ask" }];
  const same = await written({ to: `${WS}/b`, rules: allow });
  assert.deepEqual(same.questions[0]?.places?.files, [{ text: "a/f", real: `${WS}/b/f` }]);
  // A rule that allows by now what the person was asked about: it is the person's to have allowed.
  assert.equal(ended(same.decision), "allow ask");
  const moved = await written({ to: `${WS}/c`, rules: allow });
  assert.equal(ended(moved.decision), "allow rule");
  const rows = [[`${WS}/b`, 1], [`${WS}/c`, 2]] as const;
  for (const [to, times] of rows) {
    const { decision, questions } = await written({ to, rules: ask });
    assert.equal(ended(decision), "allow ask");
    assert.deepEqual(
      questions.map(({ places }) => places?.files[0]?.real),
      [
        `${WS}/b/f`,
        `${WS}/c/f`,
      ].slice(0, times),
    );
  }
  const gone = await written({ to: `${WS}/c`, rules: [{ pattern: "Write", action: "deny" }] });
  assert.equal(ended(gone.decision), "deny rule");
});
