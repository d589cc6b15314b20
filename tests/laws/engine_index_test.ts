import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../support/cases.ts";
import fc from "../support/seeded.ts";
import type { Match } from "../../lib/model/verdict.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import { firstMatch } from "../../lib/decide/first_match.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { CompiledPolicy } from "../../lib/policy/compile/compiled_policy.ts";
import type { Request } from "../../lib/policy/compile/request.ts";
import { anyCall, anyOptions, anyRule, shellCall, shellRule } from "../support/arbitrary.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../support/policy.ts";

/** Bun ends a test after five seconds, which may be too few on a machine that is busy. */
const LONG = { timeout: 120_000 };

/** Rules and calls about files behind links, and of a tool whose shell is another. */
const linkRule: fc.Arbitrary<TestRule> = fc.record({
  pattern: fc.tuple(
    fc.constantFrom("Read", "Write", "Edit", "*Edit", "*"),
    fc.constantFrom(
      "link/**",
      "/home/u/ws/link/**",
      "/data/real/**",
      "/data/*/x",
      "**/x",
      "~/ws/link/x",
    ),
  ).map(([tool, spec]) => `${tool}:${spec}`),
  action: fc.constantFrom("allow", "deny", "ask"),
});
const linkCall: fc.Arbitrary<ToolCall> = fc.record({
  tool: fc.constantFrom("Read", "Write", "Edit"),
  input: fc.record({
    path: fc.constantFrom(
      "link/x",
      "/data/real/x",
      "/data/REAL/x",
      "Link/x",
      "/data/real/y/x",
      "a/x",
    ),
  }),
});
const WORDS = ["rm", "git push", "Remove-Item", "ls", "RM", "c  d"];
const foreignRule: fc.Arbitrary<TestRule> = fc.record({
  pattern: fc.tuple(
    fc.constantFrom(...WORDS),
    fc.constantFrom(":X *", "(X:*)", ":X", ":~X", ":*X*"),
  )
    .map(([word, form]) => `PowerShell${form.replace("X", word)}`),
  action: fc.constantFrom("allow", "deny", "ask"),
});
const foreignCall: fc.Arbitrary<ToolCall> = fc.tuple(
  fc.constantFrom("X x", "ls; X x", "'X' x", "X", "x | X y", "& X", "X`n", "`X x"),
  fc.constantFrom(...WORDS, "r''m", "rm'"),
).map(([form, word]) => ({ tool: "PowerShell", input: { line: form.replace("X", word) } }));

/** Options, with links and another shell among them. */
const anyWorld: fc.Arbitrary<PolicyOptions> = fc.tuple(anyOptions, fc.boolean()).map(
  ([options, linked]) => ({
    ...options,
    tools: {
      ...options.tools,
      PowerShell: { firstArg: "line", kind: "command", shell: "other" },
    },
    context: { ...options.context, ...(linked ? { realPath: leadsTo } : {}) },
  }),
);

/** The path behind the link in the workspace. */
function leadsTo(path: string): string {
  return path.replace(/^\/home\/u\/ws\/link(?=\/|$)/, "/data/real");
}

/** Many rules, and calls about the same things: of every tool, and lines with quoting, variables and wrappers. */
const anyCase = fc.oneof(
  fc.record({ rules: manyOf(fc.oneof(linkRule, anyRule), 80), calls: sixtyOf(linkCall) }),
  fc.record({
    rules: fc.array(linkRule, { minLength: 5, maxLength: 20, size: "max" }),
    calls: sixtyOf(linkCall),
  }),
  fc.record({ rules: manyOf(fc.oneof(foreignRule, anyRule), 80), calls: sixtyOf(foreignCall) }),
  fc.record({ rules: manyOf(anyRule, 200), calls: sixtyOf(anyCall) }),
  fc.record({ rules: manyOf(fc.oneof(anyRule, shellRule), 80), calls: sixtyOf(shellCall) }),
);

/** So few rules that each is tried, and lines. */
const fewCase = fc.record({
  rules: fc.array(fc.oneof(shellRule, anyRule), { minLength: 1, maxLength: 14, size: "max" }),
  calls: sixtyOf(shellCall),
});

function manyOf<T>(rule: fc.Arbitrary<T>, maxLength: number): fc.Arbitrary<T[]> {
  return fc.array(rule, { minLength: 40, maxLength, size: "max" });
}

function sixtyOf<T>(call: fc.Arbitrary<T>): fc.Arbitrary<T[]> {
  return fc.array(call, { minLength: 60, maxLength: 60 });
}

/** The requests that rules are tried on: the call, and every unit of its line. */
function factsOf(policy: CompiledPolicy, call: ToolCall): readonly Request[] {
  const request = policy.request(call);
  const line = request.line;
  return line
    ? [request, ...line.effects.map((effect) => request.of({ effect, line }))]
    : [request];
}

test(
  "the indexed walk of every unit ends as the walk over all rules does: same action, maker, rule",
  LONG,
  () => {
    const judged = { calls: 0, units: 0 };
    fc.assert(
      fc.property(anyCase, anyWorld, ({ rules, calls }, options) => {
        const policy = policyOf(rules, options);
        for (const call of calls) {
          const [full, short] = (["full", "candidates"] as const).map((trace) =>
            evaluate(policy, call, { now: 100, trace }).units.map((unit) => {
              const { kind, text, action, by, rule } = unit;
              return { kind, text, action, by, pattern: rule?.pattern, index: rule?.index };
            })
          );
          assert.deepEqual(short, full, JSON.stringify(call));
          judged.calls++;
          judged.units += short!.length;
        }
      }),
      { numRuns: 120, seed: 1 },
    );
    assert.ok(
      judged.calls >= enough(7_000) && judged.units > enough(9_000),
      JSON.stringify(judged),
    );
  },
);

test(
  "the index leaves out only rules that do not fit, or that say what another of their source says",
  LONG,
  () => {
    fc.assert(
      fc.property(anyCase, anyWorld, ({ rules, calls }, options) => {
        const policy = policyOf(rules, options);
        for (const request of calls.flatMap((call) => factsOf(policy, call))) {
          const { call, part } = request;
          const found = policy.candidates(request);
          const told = new Set<string>();
          for (const toolRule of policy.toolRules(call.tool)) {
            const match: Match = toolRule.matches(request);
            const { source: { kind }, action, expiresAt } = toolRule.rule;
            if (!found.includes(toolRule)) {
              const said = match === "no" ||
                match === "indeterminate" && (action === "allow" || told.has(kind));
              assert.ok(
                said,
                `${toolRule.rule.pattern} is missing for ${JSON.stringify([call, part?.effect])}`,
              );
            } else if (match !== "no" && action !== "allow" && expiresAt === undefined) {
              // One that fits ends the walk, so what stands behind it is not asked.
              told.add(kind);
            }
          }
        }
      }),
      { numRuns: 60, seed: 2 },
    );
  },
);

test(
  "a rule that is passed by the first characters of a part does not match it, and few rules are traced as all",
  LONG,
  () => {
    const seen = { parts: 0, matches: 0 };
    fc.assert(
      fc.property(fewCase, anyWorld, ({ rules, calls }, options) => {
        const policy = policyOf(rules, options);
        for (const request of calls.flatMap((call) => factsOf(policy, call))) {
          const { part } = request;
          if (part === undefined) continue;
          const { effect, line } = part;
          // With every bit set, no rule is passed by.
          const whole = request.of({ effect, line, begins: -1 });
          const traced = firstMatch(policy, request);
          assert.deepEqual(traced.steps, firstMatch(policy, whole).steps, line.text);
          for (const toolRule of policy.toolRules(request.call.tool)) {
            const match = toolRule.matches(whole);
            const place = `${toolRule.rule.pattern} on ${JSON.stringify(effect)}`;
            assert.equal(toolRule.matches(request), match, place);
            if (match !== "no") seen.matches++;
          }
          seen.parts++;
        }
      }),
      { numRuns: 150, seed: 3 },
    );
    assert.ok(seen.parts > enough(3_000) && seen.matches > enough(1_000), JSON.stringify(seen));
  },
);

test("the index looks at few of many rules, whatever the line", LONG, () => {
  const actions = ["allow", "deny", "ask"] as const;
  const rules = Array.from({ length: 3_000 }, (_, index) => ({
    pattern: `Bash:tool${index} sub *`,
    action: actions[index % 3]!,
  }));
  const policy = policyOf(rules);
  const lines = [
    "tool7 sub x",
    "tool7 sub 'x'",
    "tool7 sub; ls",
    '"tool7" sub',
    "x | y",
    "sudo env A=1 tool7 sub $x > f",
    "tool7 $x",
    "$x sub",
    "bash -c 'tool7 sub x' && (",
  ];
  for (const command of lines) {
    const [, ...units] = factsOf(policy, { tool: "Bash", input: { command } });
    assert.ok(units.length > 0);
    for (const request of units) {
      const found = policy.candidates(request);
      assert.ok(found.length < 20, `${found.length} candidates for ${request.part?.effect.text}`);
    }
  }
});

test("a rule of whole words is no candidate for a word that goes on", () => {
  const others = Array.from({ length: 20 }, (_, index) => `Bash(tool${index}:*)`);
  const own = ["Bash(git:*)", "Bash:git *", "Bash(git log)", "Bash:gi*", "Bash:git ?"];
  const patterns = [...others, ...own];
  const policy = policyOf(patterns.map((pattern) => ({ pattern, action: "deny" })));
  const found = (command: string) => factsOf(policy, { tool: "Bash", input: { command } }).at(-1)!;
  const named = (command: string) =>
    policy.candidates(found(command)).map(({ rule }) => rule.pattern);
  assert.deepEqual(named("git-lfs log"), ["Bash:gi*"]);
  assert.deepEqual(named("git log"), own);
  assert.deepEqual(named("git logs"), own.filter((pattern) => pattern !== "Bash(git log)"));
  assert.deepEqual(named("GIT"), ["Bash(git:*)", "Bash:git *", "Bash:gi*", "Bash:git ?"]);
});
