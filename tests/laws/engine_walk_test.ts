import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { UnitVerdict, Verdict } from "../../lib/model/verdict.ts";
import { evaluate } from "../../lib/engine/evaluate.ts";
import { anyCall, anyOptions, anyRule } from "../support/arbitrary.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../support/policy.ts";
import { referenceWalk } from "../support/reference_walk.ts";

const anyAllow = anyRule.filter(({ action }) => action === "allow");
const anyRules = fc.array(anyRule, { minLength: 1, maxLength: 8 });

/** How strict a verdict is, a safety check between an ordinary ask and a deny. */
function rank({ action, by }: Pick<UnitVerdict, "action" | "by">): number {
  return action === "deny" ? 3 : action === "allow" ? 0 : by === "safety" ? 2 : 1;
}

function evaluated(rules: readonly TestRule[], call: ToolCall, options: PolicyOptions): Verdict {
  return evaluate(policyOf(rules, options), call, { now: 100 });
}

test("the first rule that fits decides, as the reference walk says", () => {
  fc.assert(
    fc.property(anyRules, anyCall, anyOptions, (rules, call, options) => {
      const policy = policyOf(rules, { ...options, enforceExpiry: false });
      const [unit] = evaluate(policy, call).units;
      const { action, by, rule } = unit!;
      assert.deepEqual({ action, by, index: rule?.index }, referenceWalk(policy, call));
    }),
    { numRuns: 8_000, seed: 1 },
  );
});

test("the verdict of a call is the strictest of its units", () => {
  fc.assert(
    fc.property(anyRules, anyCall, anyOptions, (rules, call, options) => {
      const verdict = evaluated(rules, call, options);
      assert.equal(rank(verdict), Math.max(...verdict.units.map(rank)));
    }),
    { numRuns: 3_000, seed: 2 },
  );
});

test("a deny rule that is added anywhere never loosens the verdict", () => {
  fc.assert(
    fc.property(
      anyRules,
      anyRule,
      fc.nat(8),
      anyCall,
      anyOptions,
      (rules, added, at, call, options) => {
        const deny: TestRule = { ...added, action: "deny" };
        const more = rules.toSpliced(at, 0, deny);
        assert.ok(rank(evaluated(more, call, options)) >= rank(evaluated(rules, call, options)));
      },
    ),
    { numRuns: 8_000, seed: 3 },
  );
});

test("an allow of session or command, added anywhere, lifts no deny and answers no safety check", () => {
  fc.assert(
    fc.property(
      anyRules,
      anyAllow,
      fc.nat(8),
      anyCall,
      anyOptions,
      (rules, added, at, call, options) => {
        const kind = added.pattern.length % 2 === 0 ? "session" : "command";
        const more = rules.toSpliced(at, 0, { ...added, kind });
        const [before, after] = [evaluated(rules, call, options), evaluated(more, call, options)];
        assert.ok(rank(after) === rank(before) || rank(before) === 1 && rank(after) === 0);
      },
    ),
    { numRuns: 8_000, seed: 4 },
  );
});

test("where a deny or ask rule before every allow cannot be evaluated, nothing is allowed", () => {
  let raised = 0;
  fc.assert(
    fc.property(anyRules, anyCall, anyOptions, (rules, call, options) => {
      const strictFirst = rules.toSorted((a, b) =>
        Number(a.action === "allow") - Number(b.action === "allow")
      );
      const policy = policyOf(strictFirst, { ...options, enforceExpiry: false });
      const facts = policy.facts(call);
      const unknown = policy.entries(call.tool).some(({ rule, matches }) =>
        rule.action !== "allow" && matches(facts) === "unknown"
      );
      if (!unknown) return;
      raised++;
      const { action, by } = evaluate(policy, call).units[0]!;
      assert.ok(action === "deny" || by === "safety" || action === "ask");
      assert.notEqual(action, "allow");
    }),
    { numRuns: 6_000, seed: 5 },
  );
  assert.ok(raised > 500, `only ${raised} walks had an unknown`);
});

test("a full trace says the same as a walk over the candidates, and shows every rule", () => {
  fc.assert(
    fc.property(anyRules, anyCall, anyOptions, (rules, call, options) => {
      const policy = policyOf(rules, options);
      const full = evaluate(policy, call, { now: 100, trace: "full" });
      const short = evaluate(policy, call, { now: 100 });
      for (const [index, unit] of full.units.entries()) {
        const { action, by, rule, reason, steps } = unit;
        const other = short.units[index]!;
        assert.deepEqual([action, by, rule, reason], [
          other.action,
          other.by,
          other.rule,
          other.reason,
        ]);
        assert.deepEqual(steps.map((step) => step.rule.index), rules.map((_, at) => at));
        assert.ok(steps.every(({ match, why }) => (match === "yes") === (why === "")));
      }
    }),
    { numRuns: 4_000, seed: 6 },
  );
});

test("an expired rule counts as if it were not there, and without the time an expiring allow does not count", () => {
  fc.assert(
    fc.property(anyRules, anyCall, anyOptions, (rules, call, options) => {
      const enforced = { ...options, enforceExpiry: true };
      const living = rules.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > 100);
      const [all, rest] = [evaluated(rules, call, enforced), evaluated(living, call, enforced)];
      assert.deepEqual(
        [all.action, all.by, all.rule?.pattern],
        [rest.action, rest.by, rest.rule?.pattern],
      );
      const timeless = evaluate(policyOf(rules, enforced), call);
      assert.ok(timeless.rule?.action !== "allow" || timeless.rule.expiresAt === undefined);
    }),
    { numRuns: 4_000, seed: 7 },
  );
});
