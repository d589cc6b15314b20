import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { UnitVerdict, Verdict } from "../../lib/model/verdict.ts";
import { asksAboutUnknown } from "../../lib/decide/unit_result.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { firstMatch } from "../../lib/decide/first_match.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import type { Request } from "../../lib/policy/compile/request.ts";
import { anyCall, anyOptions, anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../support/policy.ts";
import { referenceVerdict, strictestEnd } from "../support/reference_verdict.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

/** A rule about what lines fetch. */
const urlRule = anyRule.filter(({ pattern }) => pattern.startsWith("WebFetch"));

/** A few rules, one more, an allow, and a call about the same things. */
const anyCase = fc.oneof(
  fc.record({
    rules: fc.array(anyRule, { minLength: 1, maxLength: 8 }),
    added: anyRule,
    allow: anyRule.filter(({ action }) => action === "allow"),
    call: anyCall,
  }),
  fc.record({
    rules: fc.array(shellRule, { minLength: 1, maxLength: 8 }),
    added: shellRule,
    allow: shellRule.filter(({ action }) => action === "allow"),
    call: shellCall,
  }),
  fc.record({
    rules: fc.array(fc.oneof(urlRule, shellRule), { minLength: 1, maxLength: 8 }),
    added: urlRule,
    allow: urlRule.filter(({ action }) => action === "allow"),
    call: fc.constantFrom("curl -o a x.org", "git ls-remote https://x.org/%61", "wget y.org/a")
      .map((command) => ({ tool: "Bash", input: { command } })),
  }),
);

/** The strictness of a verdict, with a safety check between an ordinary ask and a deny. */
function rank({ action, by }: Pick<UnitVerdict, "action" | "by">): number {
  return action === "deny" ? 3 : action === "allow" ? 0 : by === "safety" ? 2 : 1;
}

/** The requests that rules are tried on: the call, or every part of its line that is no file. */
function factsOf(policy: CompiledPolicy, call: ToolCall): readonly Request[] {
  const request = policy.request(call);
  const line = request.line;
  if (!line) return [request];
  return line.effects.filter(({ kind, unknownFileAccess }) =>
    kind === "command" || kind === "opaque" && unknownFileAccess === undefined
  ).map((effect) => request.of({ effect, line }));
}

/** True for a safety check because of operands that a program without a table may run: a law of its own has those. */
function isOperandCheck(unit: UnitVerdict | undefined): boolean {
  return unit?.kind === "command" && unit.by === "safety" &&
    /^no table describes/.test(unit.reason);
}

function evaluated(rules: readonly TestRule[], call: ToolCall, options: PolicyOptions): Verdict {
  return evaluate(policyOf(rules, options), call, { now: 100 });
}

test("in every unit the first rule that fits decides, as the reference walk says", LONG, () => {
  const counts = new Map<string, number>();
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, call }, options) => {
      const lasting = rules.map(({ expiresAt: _, ...rule }) => rule);
      const policy = policyOf(lasting, { ...options, enforceExpiry: false });
      const verdict = evaluate(policy, call);
      const units = verdict.units.map(({ kind, text, action, by, rule }) => {
        counts.set(`${kind} ${action} ${by}`, (counts.get(`${kind} ${action} ${by}`) ?? 0) + 1);
        return { kind, text, action, by, index: rule?.index };
      });
      const expected = referenceVerdict(policy, call).map((unit, at) =>
        isOperandCheck(verdict.units[at]) && unit.action !== "deny" ? units[at]! : unit
      );
      // Without an allowed command beside them, companions ask too.
      const isChecked = verdict.units.some(isOperandCheck);
      const isTold = ({ index }: { index: number | undefined }) =>
        !isChecked || index !== undefined;
      assert.deepEqual(units.filter(isTold), expected.filter(isTold));
      const { action, by } = strictestEnd(expected);
      assert.deepEqual([verdict.action, verdict.by], [action, by]);
    }),
    { numRuns: 4_000, seed: 1 },
  );
  for (const kind of ["call", "command", "opaque", "write", "read", "url"]) {
    for (const end of ["allow rule", "deny rule", "ask rule", "ask safety"]) {
      // Of what cannot be known only scripts ask as any program does: unit tests have those.
      if (kind === "opaque" && end === "ask rule") continue;
      const count = counts.get(`${kind} ${end}`) ?? 0;
      assert.ok(count > enough(0), `${kind}: ${end} ${count} times`);
    }
  }
});

test("the verdict of a call is the strictest of its units", LONG, () => {
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, call }, options) => {
      const verdict = evaluated(rules, call, options);
      assert.equal(rank(verdict), Math.max(...verdict.units.map(rank)));
    }),
    { numRuns: 3_000, seed: 2 },
  );
});

test("a deny rule that is added anywhere never loosens the verdict", LONG, () => {
  fc.assert(
    fc.property(anyCase, fc.nat(8), anyOptions, ({ rules, added, call }, at, options) => {
      const deny: TestRule = { ...added, action: "deny" };
      const more = rules.toSpliced(at, 0, deny);
      assert.ok(rank(evaluated(more, call, options)) >= rank(evaluated(rules, call, options)));
    }),
    { numRuns: 4_000, seed: 3 },
  );
});

test(
  "an allow of session or command, added anywhere, lifts no deny and answers no safety check",
  LONG,
  () => {
    fc.assert(
      fc.property(anyCase, fc.nat(8), anyOptions, ({ rules, allow, call }, at, options) => {
        const kind = allow.pattern.length % 2 === 0 ? "session" : "command";
        const more = rules.toSpliced(at, 0, { ...allow, kind });
        const [before, after] = [evaluated(rules, call, options), evaluated(more, call, options)];
        const isChecked = before.units.some((unit) =>
          unit.action === "ask" && unit.by === "safety" && !asksAboutUnknown(unit)
        );
        const isAnswered = before.action === "ask" && after.action === "allow";
        assert.ok(after.action === before.action || isAnswered && !isChecked);
      }),
      { numRuns: 4_000, seed: 4 },
    );
  },
);

test(
  "where a deny or ask rule before every allow cannot be evaluated, nothing is allowed",
  LONG,
  () => {
    let raised = 0;
    fc.assert(
      fc.property(anyCase, anyOptions, ({ rules, call }, options) => {
        const strictFirst = rules.toSorted((a, b) =>
          Number(a.action === "allow") - Number(b.action === "allow")
        );
        const policy = policyOf(strictFirst, { ...options, enforceExpiry: false });
        const isUnknown = (request: Request) =>
          policy.toolRules(call.tool).some(({ rule, matches }) =>
            rule.action !== "allow" && matches(request) === "indeterminate"
          );
        const { action, units } = evaluate(policy, call);
        if (isUnknown(policy.request(call))) {
          raised++;
          assert.notEqual(policy.request(call).line ? action : units[0]!.action, "allow");
        }
        for (const request of factsOf(policy, call)) {
          if (isUnknown(request)) assert.notEqual(firstMatch(policy, request).action, "allow");
        }
      }),
      { numRuns: 3_000, seed: 5 },
    );
    assert.ok(raised > enough(120), `only ${raised} walks had an unknown`);
  },
);

test("a full trace says the same as a walk over the candidates, and shows every rule", LONG, () => {
  fc.assert(
    fc.property(anyCase, anyOptions, ({ rules, call }, options) => {
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
        // No rule can be tried on a file that is not fixed.
        const walked = steps.length > 0 || unit.kind === "call" || unit.action !== "ask";
        if (walked) assert.deepEqual(steps.map(({ rule }) => rule.index), rules.map((_, at) => at));
        assert.ok(steps.every(({ match, why }) => (match === "yes") === (why === "")));
      }
    }),
    { numRuns: 2_000, seed: 6 },
  );
});

/** The action, and the rule that gave it: of the call, and of each of its units. */
function saidOf(verdict: Verdict) {
  const said = ({ action, by, rule }: Pick<Verdict, "action" | "by" | "rule">) =>
    [action, by, rule?.pattern] as const;
  const units = verdict.units.map((unit) => [unit.kind, unit.text, ...said(unit)]);
  return { verdict: said(verdict), units };
}

/** When rules end, as many as there are at most; most never do. */
const anyEnds = fc.array(fc.constantFrom(undefined, undefined, 50, 150), {
  minLength: 8,
  maxLength: 8,
});

test(
  "an expired rule counts as if it were not there, and without the time an expiring allow does not count",
  LONG,
  () => {
    fc.assert(
      fc.property(anyCase, anyEnds, anyOptions, ({ rules: endless, call }, ends, options) => {
        const rules = endless.map((rule, index): TestRule => {
          const expiresAt = ends[index];
          return expiresAt === undefined ? rule : { ...rule, expiresAt };
        });
        const enforced = { ...options, enforceExpiry: true };
        const living = rules.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > 100);
        const [all, rest] = [evaluated(rules, call, enforced), evaluated(living, call, enforced)];
        assert.deepEqual(saidOf(all), saidOf(rest));
        const timeless = evaluate(policyOf(rules, enforced), call);
        assert.ok(timeless.rule?.action !== "allow" || timeless.rule.expiresAt === undefined);
      }),
      { numRuns: 2_000, seed: 7 },
    );
  },
);
