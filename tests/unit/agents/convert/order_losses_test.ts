import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../../lib/shell/parse/loaded_parser.ts";
import { mayOverlap } from "../../../../lib/policy/edit/may_overlap.ts";
import { idleAsks, orderLosses } from "../../../../lib/agents/convert/order_losses.ts";
import type { FormatRule } from "../../../../lib/agents/convert/format.ts";
import { toolProfiles } from "../../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map());
const context = {
  mayOverlap: (first: FormatRule, stricter: FormatRule) =>
    mayOverlap(first, { stricter, profiles }),
};

test("an allow above a deny that fits the same is narrowed where a deny always wins", () => {
  const rules = [
    { pattern: "Bash(git status:*)", action: "allow" },
    { pattern: "Bash(npm:*)", action: "allow" },
    { pattern: "Bash(git:*)", action: "deny" },
  ] as const;
  const losses = orderLosses(rules, { context, agent: "X" });
  assert.deepEqual(losses.map(({ kind, subject }) => [kind, subject]), [[
    "narrowed",
    "Bash(git status:*)",
  ]]);
});

test("a deny above an allow loses nothing", () => {
  const rules = [
    { pattern: "Bash(git push:*)", action: "deny" },
    { pattern: "Bash(git:*)", action: "allow" },
  ] as const;
  assert.deepEqual(orderLosses(rules, { context, agent: "X" }), []);
});

test("an ask is idle unless an allow below it could fit the same, also one that runs its command", () => {
  const ask = { pattern: "Bash(rm:*)", action: "ask" } as const;
  const idle = (...rest: readonly FormatRule[]) => idleAsks([ask, ...rest], context).length === 1;
  assert.ok(idle());
  assert.ok(idle({ pattern: "Bash(git:*)", action: "allow" }));
  assert.ok(!idle({ pattern: "Bash(sudo rm:*)", action: "allow" }));
  assert.ok(!idle({ pattern: "Bash(rm -i:*)", action: "allow" }));
  assert.ok(!idle({ pattern: "*", action: "allow" }));
});

test("very many rules are compared in bounded time", () => {
  const rules = Array.from({ length: 4000 }, (_, index): FormatRule => ({
    pattern: `Bash(cmd${index % 50} sub${index}:*)`,
    action: index % 2 === 0 ? "allow" : "deny",
  }));
  let asked = 0;
  orderLosses(rules, { context: { mayOverlap: () => (asked++, false) }, agent: "X" });
  assert.ok(asked <= 4000);
});
