import assert from "node:assert/strict";
import { test } from "node:test";
import cases from "../../cases/permissions/input_fields.json" with { type: "json" };
import { decide } from "../../../lib/decide/decide.ts";
import { evaluateCall } from "../../../lib/decide/evaluate.ts";
import { defaultMode } from "../../../lib/decide/modes.ts";
import type { Action, JsonObject, ToolCall } from "../../../lib/model/call.ts";
import { policyOf } from "../../support/policy.ts";

function decisionOf(rules: readonly string[], call: ToolCall, isPlaced?: boolean): Action {
  const policy = policyOf(rules.map((line) => {
    const [action, ...pattern] = line.split(" ");
    return { action: action as Action, pattern: pattern.join(" ") };
  }));
  const evaluation = evaluateCall(policy, call, isPlaced === undefined ? {} : { isPlaced });
  return decide(policy, evaluation, { mode: defaultMode }).decision;
}

for (const { about, rules, calls } of cases) {
  test(about, () => {
    const wrong = calls.flatMap(([tool, input, expected]) => {
      const call = { tool: tool as string, input: input as unknown as JsonObject };
      const decision = decisionOf(rules, call);
      return decision === expected ? [] : [`${JSON.stringify(call)}: ${decision}, not ${expected}`];
    });
    assert.deepEqual(wrong, []);
  });
}

test("a list of more members than are read makes rules about files indeterminate", () => {
  const rules = ["deny Read:**/.env", "allow *"];
  const call = (paths: string) => ({ tool: "mcp__a__b", input: { paths } });
  assert.equal(decisionOf(rules, call("a,".repeat(150) + ".env")), "deny");
  assert.equal(decisionOf(rules, call("a,".repeat(150) + "b")), "allow");
  assert.equal(decisionOf(rules, call("a,".repeat(250) + ".env")), "ask");
});

test("a text that is too long to be read as JSON is a question where rules are about files", () => {
  const json = `{"path":".env","x":"${"x".repeat(1_000_000)}"}`;
  const call = { tool: "mcp__x__do", input: { arguments: json } };
  assert.equal(decisionOf(["deny Read:**/.env", "allow mcp__*"], call), "ask");
});

test("a hook's call that has its folder already is not looked for below it again", () => {
  const rules = ["deny Read:web/web/key", "allow Bash(cat:*)"];
  const call = {
    tool: "Bash",
    input: { command: "cat key", workdir: "web" },
    cwd: "/workspace/web",
  };
  assert.equal(decisionOf(rules, call), "deny");
  assert.equal(decisionOf(rules, call, true), "allow");
  const other = { ...call, input: { command: "cat key", chdir: "web", workdir: "web" } };
  assert.equal(decisionOf(["deny Read:web/key", "allow Bash(cat:*)"], other, true), "deny");
});
