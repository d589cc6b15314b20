import assert from "node:assert/strict";
import { test } from "node:test";
import { decideInMode } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { MODES } from "../../lib/decide/modes.ts";
import { isAlwaysDenied } from "../../lib/gate/mcp/always_denied.ts";
import type { JsonObject } from "../../lib/model/call.ts";
import { enough } from "../support/cases.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const NOW = 100;

const TOOLS = ["mcp__fs__read", "mcp__fs__a b", "mcp__fs__re\u200bad", "mcp__fs__x"];

const PATTERNS = [
  "*",
  "mcp__*",
  "mcp__fs__*",
  "mcp__fs__read",
  "mcp__fs__r*",
  "mcp__fs__read:path=/a*",
  "mcp__fs__*:mode!=x",
  "mcp__fs__read(path=**)",
  "*:path=*",
  "Read:/a/**",
  "Write",
  "Bash",
];

const anyRule = fc.record({
  pattern: fc.constantFrom(...PATTERNS),
  action: fc.constantFrom("allow", "deny", "deny", "ask"),
});

/** Inputs that the rules speak of, and others. */
const INPUTS: readonly JsonObject[] = [
  {},
  { path: "/a/b" },
  { path: "/c" },
  { path: 1 },
  { mode: "x" },
  { mode: "y", path: "/a" },
  { command: "ls" },
  { other: [null] },
];

test("no call of a tool that is always denied may run, in any mode but bypass", () => {
  let denied = 0;
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 4 }),
      fc.constantFrom(...TOOLS),
      (rules, tool) => {
        const policy = policyOf(rules);
        if (!isAlwaysDenied(policy, tool, { now: NOW })) return;
        denied++;
        for (const input of INPUTS) {
          const evaluation = evaluateCall(policy, { tool, input }, { now: NOW });
          for (const mode of MODES) {
            if (mode.liftsDenials) continue;
            const { decision } = decideInMode(policy, evaluation, mode);
            assert.equal(decision, "deny", JSON.stringify([tool, input, mode.name]));
          }
        }
      },
    ),
    { numRuns: 2000 },
  );
  assert.ok(denied > enough(100), `${denied}`);
});
