import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../lib/decide/evaluate.ts";
import type { EvaluateOptions } from "../../../lib/decide/first_match.ts";
import type { JsonObject } from "../../../lib/model/call.ts";
import { policyOf, type TestRule } from "../../support/policy.ts";

const TOOL = "mcp__a__b";

/** A description of the tool by a key that no call has: all rules below have the same meaning with it. */
const DESCRIBED = { tools: { [TOOL]: { firstArg: "nothing" } } };

const RULES: readonly (readonly TestRule[])[] = [
  [],
  [{ pattern: TOOL, action: "allow" }],
  [{ pattern: "mcp__a__*", action: "deny", reason: "not here" }, { pattern: "*", action: "allow" }],
  [{ pattern: TOOL, action: "ask", kind: "user" }, { pattern: TOOL, action: "allow" }],
  [{ pattern: TOOL, action: "allow" }, { pattern: TOOL, action: "ask", kind: "user" }],
  [{ pattern: TOOL, action: "allow", kind: "session" }, { pattern: TOOL, action: "ask" }],
  [{ pattern: TOOL, action: "allow", expiresAt: 5 }, { pattern: TOOL, action: "deny" }],
  [{ pattern: "Read:secret/**", action: "deny" }, { pattern: TOOL, action: "allow" }],
];

const INPUTS: readonly JsonObject[] = [
  {},
  { n: 1 },
  { n: 2, query: "a question" },
  { n: { m: 1 } },
  { query: '{"path":"secret/a"}' },
  { path: "secret/a" },
];

const OPTIONS: readonly EvaluateOptions[] = [{}, { now: 9 }, { trace: "full" }];

test("a tool that nobody described is judged as one with a description that says nothing", () => {
  for (const rules of RULES) {
    const [without, described] = [policyOf(rules), policyOf(rules, DESCRIBED)];
    for (const input of INPUTS) {
      for (const options of OPTIONS) {
        const call = { tool: TOOL, input };
        const verdict = evaluate(without, call, options);
        assert.deepEqual(verdict, evaluate(described, call, options));
        assert.equal(
          JSON.stringify(verdict),
          JSON.stringify(evaluate(described, call, options)),
        );
        assert.equal(verdict.units[0]!.text, TOOL);
      }
    }
  }
});

test("a tool that nobody described has the warning about an allow that comes with a clone", () => {
  const policy = policyOf([
    { pattern: TOOL, action: "allow" },
    { pattern: "mcp__*", action: "deny", kind: "user" },
  ]);
  const { action, warnings } = evaluate(policy, { tool: TOOL, input: {} });
  assert.equal(action, "allow");
  assert.equal(warnings.length, 1);
});
