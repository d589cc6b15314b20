import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { type Action, ACTIONS, type JsonObject } from "../../../lib/model/call.ts";
import { defaultMode, dontAsk } from "../../../lib/decide/modes.ts";
import type { CompiledPolicy } from "../../../lib/policy/compile/compiled_policy.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { Replay } from "../../../lib/suite/replay.ts";
import type { RecordedCall } from "../../../lib/suite/replay_calls.ts";
import { CallGroups } from "../../../lib/suite/replay_report.ts";
import fc from "../../support/seeded.ts";

function policyOf(
  ...rules: readonly (readonly [action: Action, pattern: string])[]
): CompiledPolicy {
  const tables = rules.map(([action, pattern]) =>
    `[[permissions.rules]]\npattern = ${JSON.stringify(pattern)}\naction = "${action}"\n`
  );
  return policyFromToml(tables.join(""));
}

function bash(command: string): RecordedCall {
  return { call: { tool: "Bash", input: { command } }, from: "calls" };
}

function audited(tool: string, input: JsonObject, verdict: Action): RecordedCall {
  return { call: { tool, input }, from: "audit", verdict };
}

function replayed(
  calls: readonly RecordedCall[],
  { policy, against }: { readonly policy: CompiledPolicy; readonly against?: CompiledPolicy },
) {
  const others = against === undefined ? {} : { against };
  const replay = new Replay({ policy, ...others, mode: defaultMode, now: 0 });
  for (const call of calls) replay.add(call);
  return replay.report();
}

test("calls are counted by decision and by the rules that decided a part", () => {
  const policy = policyOf(["deny", "Bash:rm *"], ["allow", "Bash(git:*)"], ["allow", "Read"]);
  const calls = ["git status", "git status && rm x", "make", "git log"].map(bash);
  const { all, decisions, rules, unused } = replayed(calls, { policy });
  assert.equal(all.calls, 4);
  assert.deepEqual(ACTIONS.map((action) => decisions[action].calls), [1, 1, 2]);
  assert.deepEqual(rules.map(({ rule, calls }) => [rule?.pattern, calls]), [
    ["Bash(git:*)", 3],
    ["Bash:rm *", 1],
    ["Bash", 1],
  ]);
  assert.deepEqual(unused.map(({ pattern }) => pattern), ["Read"]);
});

test("what asks is grouped by the narrowest pattern of each part", () => {
  const calls = ["cargo build --release", "cargo build", "cargo test && cargo build", "make a"];
  const { asks } = replayed(calls.map(bash), { policy: policyOf() });
  assert.deepEqual(asks.groups.map(({ pattern, calls }) => [pattern, calls]), [
    ["Bash(cargo build:*)", 3],
    ["Bash(cargo test:*)", 1],
    ["Bash:make a", 1],
  ]);
  assert.deepEqual(asks.groups[0]?.example, bash("cargo build").call);
});

test("what another policy decides otherwise is grouped, looser first", () => {
  const against = policyOf(["allow", "Bash(git:*)"], ["deny", "Bash:rm *"]);
  const policy = policyOf(["deny", "Bash:git push *"], ["allow", "Bash:rm *"]);
  const calls = ["git push a", "git push b", "git push c", "git log", "rm x", "make"].map(bash);
  const { changes } = replayed(calls, { policy, against });
  const told = changes?.groups.map(({ was, now, calls }) => [was.action, now.action, calls]);
  assert.deepEqual(told, [["deny", "allow", 1], ["allow", "deny", 3], ["allow", "ask", 1]]);
});

test("the same policy changes nothing", () => {
  const policy = policyOf(["deny", "Bash:rm *"]);
  const { changes, since } = replayed([bash("rm a"), bash("ls")], { policy, against: policy });
  assert.deepEqual(changes, { groups: [], others: 0 });
  assert.equal(since, undefined);
});

test("what the rules said when it was recorded is compared with what they say", () => {
  const policy = policyOf(["allow", "Bash(git:*)"]);
  const { since } = replayed([
    audited("Bash", { command: "git log" }, "ask"),
    audited("Bash", { command: "git status" }, "allow"),
    audited("Bash", { command: "make" }, "allow"),
  ], { policy });
  assert.deepEqual(
    since?.groups.map(({ was, now }) => [was.action, now.action]),
    [["ask", "allow"], ["allow", "ask"]],
  );
});

test("a call that is not whole in its log never counts as exact", () => {
  const masked = { command: "curl -H [masked] x.org" };
  const edit = { path: "a.md", content: "[812 characters left out]" };
  const cutPath = { path: "a[90 characters left out]b", content: "" };
  const inexact = (tool: string, input: JsonObject, policy = policyOf()) =>
    replayed([audited(tool, input, "ask")], { policy }).all.inexact;
  assert.equal(inexact("Bash", masked), 1);
  assert.equal(inexact("Bash", { command: "cat [1 line left out]" }), 1);
  assert.equal(inexact("Write", cutPath), 1);
  assert.equal(inexact("mcp__x__y", { deep: [{ token: "[masked]" }] }), 1);
  assert.equal(inexact("mcp__x__y", { a: 1, "…": "[3 members left out]" }), 1);
  assert.equal(inexact("Bash", { command: "ls" }), 0);
  // The content of a file makes no difference, unless a rule looks at it.
  assert.equal(inexact("Write", edit), 0);
  assert.equal(inexact("Write", edit, policyOf(["deny", "Write:content=*secret*"])), 1);
  // In a record with nothing left out, the same text is just a text.
  const plain = replayed([{ call: { tool: "Bash", input: masked }, from: "calls" }], {
    policy: policyOf(),
  });
  assert.equal(plain.all.inexact, 0);
});

test("questions are answered as the mode answers them", () => {
  const replay = new Replay({ policy: policyOf(), mode: dontAsk, now: 0 });
  replay.add(bash("make"));
  assert.equal(replay.report().decisions.allow.calls, 1);
});

test("every count is that of evaluate and decide, however often a call comes", () => {
  const policy = policyOf(["deny", "Bash:rm *"], ["allow", "Bash(git:*)"]);
  const against = policyOf(["allow", "Bash:rm *"], ["ask", "Bash:git push *"]);
  const word = fc.constantFrom(
    "rm a",
    "git log",
    "git push x",
    "make",
    "sudo rm b",
    "ls > f",
    "$x",
  );
  const command = fc.array(word, { minLength: 1, maxLength: 3 }).map((words) => words.join(" && "));
  fc.assert(
    fc.property(fc.array(command, { maxLength: 20 }), (commands) => {
      const calls = commands.map(bash);
      const decided = (of: CompiledPolicy) =>
        calls.map(({ call }) =>
          decide(of, evaluateCall(of, call, { now: 0 }), { mode: defaultMode }).decision
        );
      const [now, was] = [decided(policy), decided(against)];
      const { all, decisions, changes } = replayed(calls, { policy, against });
      assert.equal(all.calls, calls.length);
      for (const action of ACTIONS) {
        assert.equal(decisions[action].calls, now.filter((each) => each === action).length);
      }
      const changed = changes?.groups.reduce((sum, { calls }) => sum + calls, 0);
      assert.equal(changed, now.filter((each, index) => each !== was[index]).length);
    }),
    { numRuns: 50 },
  );
});

test("groups are bounded, and no call is lost", () => {
  for (const whenFull of ["refuse", "evict"] as const) {
    const groups = new CallGroups<{ readonly key: string }>({ most: 10, whenFull });
    const add = (key: string) =>
      groups.add(key, {
        counted: { ...bash(key), length: key.length, exact: true },
        about: { key },
      });
    for (let n = 0; n < 100; n++) add(`once ${n}`);
    for (let n = 0; n < 100; n++) add("late");
    const sorted = groups.sorted();
    assert.ok(sorted.length <= 10);
    const counted = sorted.reduce((sum, { calls }) => sum + calls, 0);
    assert.equal(counted + groups.others, 200);
    if (whenFull === "evict") assert.deepEqual([sorted[0]?.key, sorted[0]?.calls], ["late", 100]);
  }
});

test("a call that is too long is no example", () => {
  const { asks } = replayed([bash(`make ${"x".repeat(3000)}`)], { policy: policyOf() });
  assert.equal(asks.groups[0]?.example, undefined);
  assert.ok((asks.groups[0]?.pattern ?? "").length <= 201);
});
