import assert from "node:assert/strict";
import { test } from "node:test";
import { evaluate } from "../../../../lib/decide/evaluate.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";
import { hashed } from "../../../../lib/policy/compile/rule_keys.ts";
import { CalledTools } from "../../../../lib/policy/compile/tool_groups.ts";
import { policyOf } from "../../../support/policy.ts";

/** Two names that have one hash. */
const [ONE, OTHER] = ["costarring", "liquid"] as const;

test("a tool is not taken for another one whose name has the same hash", () => {
  assert.equal(hashed(ONE), hashed(OTHER));
  const policy = policyOf([{ pattern: ONE, action: "allow" }, { pattern: OTHER, action: "deny" }]);
  for (const tool of [ONE, OTHER, OTHER, ONE, OTHER]) {
    const verdict = evaluate(policy, { tool, input: {} });
    assert.equal(verdict.action, tool === ONE ? "allow" : "deny");
    assert.equal(verdict.units[0]!.tool, tool);
    assert.equal(policy.toolRules(tool)[0]!.rule.pattern, tool);
  }
});

test("more tools than are remembered have the rules of their names", () => {
  const policy = policyOf([{ pattern: "mcp__a__*", action: "allow" }]);
  for (let round = 0; round < 2; round++) {
    for (let at = 0; at < 600; at++) {
      const server = at % 2 === 0 ? "a" : "b";
      const { action } = evaluate(policy, { tool: `mcp__${server}__tool${at}`, input: {} });
      assert.equal(action, server === "a" ? "allow" : "ask");
    }
  }
});

test("a tool stays one object until more than are remembered were called", () => {
  const tools = new CalledTools(toolProfiles(new Map()), () => []);
  const names = Array.from({ length: 256 }, (_name, at) => `mcp__a__tool${at}`);
  const first = names.map((name) => {
    const tool = tools.named(name);
    assert.equal(tool.name, name);
    return tool;
  });
  for (const [at, name] of names.entries()) assert.equal(tools.named(name), first[at], name);
  for (const [at, { profile }] of first.entries()) assert.equal(tools.of(profile), first[at]);
  assert.equal(tools.named("mcp__b__tool").name, "mcp__b__tool");
  assert.notEqual(tools.named(names[0]!), first[0]);
});

test("a call whose tool is no text is refused by its own error", () => {
  const policy = policyOf([]);
  for (const tool of [null, undefined, 5, ["Bash"], {}]) {
    assert.throws(
      () => evaluate(policy, { tool, input: {} } as unknown as Parameters<typeof evaluate>[1]),
      { name: "TypeError", message: "Cannot evaluate a call without a tool name" },
    );
  }
});
