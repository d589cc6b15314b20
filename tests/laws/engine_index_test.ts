import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import type { Match } from "../../lib/model/match.ts";
import { evaluate } from "../../lib/engine/evaluate.ts";
import { anyCall, anyOptions, anyRule } from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";

const anyRules = fc.array(anyRule, { minLength: 40, maxLength: 200, size: "max" });
const anyCalls = fc.array(anyCall, { minLength: 60, maxLength: 60 });

test("the indexed walk ends as the walk over all rules does: same action, maker and rule", () => {
  let judged = 0;
  fc.assert(
    fc.property(anyRules, anyCalls, anyOptions, (rules, calls, options) => {
      const policy = policyOf(rules, options);
      for (const call of calls) {
        const [full, short] = (["full", "candidates"] as const).map((trace) => {
          const { action, by, rule } = evaluate(policy, call, { now: 100, trace }).units[0]!;
          return { action, by, pattern: rule?.pattern, index: rule?.index };
        });
        assert.deepEqual(short, full, JSON.stringify(call));
        judged++;
      }
    }),
    { numRuns: 120, seed: 1 },
  );
  assert.ok(judged >= 7_000);
});

test("the index leaves out only rules that do not fit, or that say what another of their source says", () => {
  fc.assert(
    fc.property(anyRules, anyCalls, anyOptions, (rules, calls, options) => {
      const policy = policyOf(rules, options);
      for (const call of calls) {
        const facts = policy.facts(call);
        const found = policy.candidates(facts);
        const told = new Set<string>();
        for (const entry of policy.entries(call.tool)) {
          const match: Match = entry.matches(facts);
          const { source: { kind }, action, expiresAt } = entry.rule;
          if (!found.includes(entry)) {
            const said = match === "no" ||
              match === "unknown" && (action === "allow" || told.has(kind));
            assert.ok(said, `${entry.rule.pattern} is missing for ${JSON.stringify(call)}`);
          } else if (match !== "no" && action !== "allow" && expiresAt === undefined) {
            // One that fits ends the walk, so what stands behind it is not asked.
            told.add(kind);
          }
        }
      }
    }),
    { numRuns: 60, seed: 2 },
  );
});

test("the index looks at few of many rules, whatever the line", () => {
  const actions = ["allow", "deny", "ask"] as const;
  const rules = Array.from({ length: 3_000 }, (_, index) => ({
    pattern: `Bash:tool${index} sub *`,
    action: actions[index % 3]!,
  }));
  const policy = policyOf(rules);
  for (const command of ["tool7 sub x", "tool7 sub 'x'", "tool7 sub; ls", '"tool7" sub', "x | y"]) {
    const found = policy.candidates(policy.facts({ tool: "Bash", input: { command } }));
    assert.ok(found.length < 20, `${found.length} candidates for ${command}`);
  }
});
