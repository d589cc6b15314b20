import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import type { JsonObject, ToolCall } from "../../lib/model/call.ts";
import { decide } from "../../lib/decide/decide.ts";
import { evaluate, evaluateCall } from "../../lib/decide/evaluate.ts";
import { DISABLED, MODES } from "../../lib/decide/modes.ts";
import type { Verdict } from "../../lib/model/verdict.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import { anyCall, anyOptions, anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

/** A time at which some of the rules have expired. */
const NOW = 100;

const anyRules = fc.array(anyRule, { minLength: 1, maxLength: 12 });
const TOOLS = ["Bash", "Read", "Write", "Edit", "NotebookEdit", "Grep", "Glob", "WebFetch", "X"];
const KEYS = [
  "command",
  "path",
  "file_path",
  "filePath",
  "notebook_path",
  "url",
  "glob",
  "pattern",
];

/** A call as a careless agent may send it: any JSON under the names that tools know. */
const jsonCall: fc.Arbitrary<ToolCall> = fc.record({
  tool: fc.oneof(fc.constantFrom(...TOOLS), fc.string({ minLength: 1, unit: "binary" })),
  input: fc.dictionary(
    fc.oneof(fc.constantFrom(...KEYS, "__proto__", "constructor"), fc.string()),
    fc.oneof(fc.string({ unit: "binary" }), fc.jsonValue({ maxDepth: 2 })),
    { maxKeys: 3 },
  ).map((input) => input as JsonObject),
  cwd: fc.constantFrom("/home/u/ws", "/", "relative", ""),
});

/** Checks that everything a call does is allowed by a rule that fits, or needs none beside what is. */
function assertAllowed(policy: CompiledPolicy, call: ToolCall, verdict: Verdict): void {
  const { units } = verdict;
  const line = policy.request(call).line;
  const isCovered = units.some(({ kind, action, rule }) =>
    (kind === "call" || kind === "command" || kind === "opaque" || kind === "read") &&
    action === "allow" && rule !== null
  );
  const runsNothing = line?.effects.every(({ kind, runsNothing, printsWords }) =>
    kind !== "opaque" && (kind !== "command" || runsNothing === true || printsWords === true)
  );
  assert.ok(isCovered || runsNothing, "no allow rule fits any of it, and something runs");
  assert.equal(verdict.rule?.action ?? "allow", "allow");
  for (const { rule, steps, kind, text } of units) {
    if (rule !== null) {
      assert.equal(rule.action, "allow");
      assert.equal(steps.find((step) => step.rule === rule)?.match, "yes");
      continue;
    }
    // Without a rule: what needs none beside a command that has one, or an operand that no rule objects to.
    // A line may open the same file by a redirection as well, which is another unit.
    const same = line?.effects.filter((each) => each.kind === kind && each.text === text) ?? [];
    assert.ok(
      same.some(({ isHarmless, checkedAgainst }) =>
        isHarmless !== false || checkedAgainst === "userDenies"
      ),
    );
    assert.ok(steps.every(({ effect }) => effect === "passes" || effect === "expired"));
  }
}

test(
  "20,000 random JSON calls and lines crash nothing and are allowed only where an allow rule fits",
  LONG,
  () => {
    const callsOf = (call: fc.Arbitrary<ToolCall>) =>
      fc.array(call, { minLength: 50, maxLength: 50, size: "max" });
    const anyCase = fc.oneof(
      fc.record({ rules: anyRules, calls: callsOf(jsonCall) }),
      fc.record({
        rules: fc.array(shellRule, { minLength: 1, maxLength: 12 }),
        calls: callsOf(shellCall),
      }),
    );
    let allowed = 0;
    fc.assert(
      fc.property(anyCase, anyOptions, ({ rules, calls }, options) => {
        const policy = policyOf(rules, options);
        for (const call of calls) {
          for (const trace of ["candidates", "full"] as const) {
            const evaluation = evaluateCall(policy, call, { trace, now: NOW });
            const { verdict } = evaluation;
            if (verdict.action !== "allow") continue;
            allowed++;
            assertAllowed(policy, call, verdict);
          }
        }
      }),
      { numRuns: 400, seed: 1 },
    );
    assert.ok(allowed > enough(200), `only ${allowed} were allowed`);
  },
);

test("the identical line is allowed, and by a rule without a spec any line", LONG, () => {
  const command = "git status; ls | wc";
  for (const pattern of [`Bash:${command}`, `Bash(${command})`, "Bash", "*"]) {
    const policy = policyOf([{ pattern, action: "allow" }]);
    assert.equal(evaluate(policy, { tool: "Bash", input: { command } }).action, "allow");
  }
});

test(
  "no flag turns a deny or a safety check into allow, and where nobody can be asked an ask is a deny",
  LONG,
  () => {
    const [mode] = MODES;
    fc.assert(
      fc.property(
        fc.oneof(
          fc.record({ rules: anyRules, call: anyCall }),
          fc.record({ rules: fc.array(shellRule, { maxLength: 6 }), call: shellCall }),
        ),
        anyOptions,
        fc.boolean(),
        fc.boolean(),
        ({ rules, call }, options, headless, autoAllow) => {
          const policy = policyOf(rules, options);
          const evaluation = evaluateCall(policy, call);
          const { verdict } = evaluation;
          const { decision, decidedBy } = decide(policy, evaluation, {
            mode: mode!,
            headless,
            autoAllow,
          });
          // A protected file is asked about under every allow rule; all other verdicts stay those of the rules.
          const asked = decide(policy, evaluation, { mode: mode! });
          if (asked.decidedBy !== "safety") assert.equal(asked.decision, verdict.action);
          else assert.equal(asked.decision, "ask");
          if (asked.decision !== "ask") assert.equal(decision, verdict.action);
          else if (asked.decidedBy === "safety") {
            assert.equal(decision, headless ? "deny" : "ask");
            assert.equal(decidedBy, headless ? "headless" : "safety");
          } else assert.equal(decision, autoAllow ? "allow" : headless ? "deny" : "ask");
        },
      ),
      { numRuns: 3_000, seed: 3 },
    );
  },
);

test("with permissions switched off every call runs, and the decision says so", LONG, () => {
  fc.assert(
    fc.property(anyRules, anyCall, (rules, call) => {
      const policy = policyOf(rules);
      const { decision, decidedBy, mode } = decide(policy, evaluateCall(policy, call), {
        mode: DISABLED,
      });
      assert.deepEqual({ decision, decidedBy, mode }, {
        decision: "allow",
        decidedBy: "disabled",
        mode: "disabled",
      });
    }),
    { numRuns: 300, seed: 4 },
  );
});
