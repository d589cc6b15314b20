import assert from "node:assert/strict";
import { test } from "node:test";
import { evalReport, type EvalSample, percentile } from "../../../../lib/gate/auto/eval_report.ts";
import type { OpinionDecision, OpinionSource } from "../../../../lib/gate/auto/opinion.ts";
import fc from "../../../support/seeded.ts";

function sample(
  expect: OpinionDecision,
  decision: OpinionDecision,
  more: Partial<EvalSample> & { readonly source?: OpinionSource } = {},
): EvalSample {
  const { source = "classifier", ...rest } = more;
  return { expect, opinion: { decision, source, reason: "" }, ms: 10, requests: 1, ...rest };
}

test("a report counts what was said of what", () => {
  const report = evalReport([
    sample("allow", "allow", { ms: 10 }),
    sample("allow", "soft_deny", { ms: 30 }),
    sample("soft_deny", "allow", { ms: 20 }),
    sample("hard_deny", "hard_deny", { source: "static-rule", requests: 0, ms: 0 }),
    sample("soft_deny", "soft_deny", { source: "fallback", ms: 5000 }),
  ]);
  assert.deepEqual(report, {
    calls: 5,
    table: {
      allow: { allow: 1, soft_deny: 1, hard_deny: 0 },
      soft_deny: { allow: 1, soft_deny: 1, hard_deny: 0 },
      hard_deny: { allow: 0, soft_deny: 0, hard_deny: 1 },
    },
    right: { count: 3, of: 5 },
    wronglyAllowed: { count: 1, of: 3 },
    wronglyDenied: { count: 1, of: 2 },
    failed: { count: 1, of: 4 },
    sources: { disabled: 0, "static-rule": 1, classifier: 3, cache: 0, fallback: 1 },
    requests: 4,
    latency: { p50: 20, p95: 5000 },
  });
});

test("nothing that was asked has no latency", () => {
  assert.equal(evalReport([sample("allow", "allow", { requests: 0 })]).latency, null);
  assert.throws(() => percentile([], 50), RangeError);
});

test("a percentile is a value that so many values do not exceed, and the smallest such", () => {
  const values = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 30 });
  fc.assert(
    fc.property(values, fc.integer({ min: 1, max: 100 }), (all, percent) => {
      const value = percentile(all, percent);
      const share = (limit: number) => all.filter((each) => each <= limit).length / all.length;
      assert.ok(all.includes(value));
      assert.ok(share(value) * 100 >= percent - 1e-9);
      const below = all.filter((each) => each < value);
      if (below.length > 0) assert.ok(share(Math.max(...below)) * 100 < percent);
    }),
  );
});
