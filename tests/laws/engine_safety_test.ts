import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import type { JsonObject, ToolCall } from "../../lib/model/call.ts";
import { decide } from "../../lib/engine/decide.ts";
import { evaluate } from "../../lib/engine/evaluate.ts";
import { DISABLED, MODES } from "../../lib/modes/registry.ts";
import { anyCall, anyOptions, anyRule } from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";

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

test("20,000 random JSON calls crash nothing and are allowed only where an allow rule fits", () => {
  const anyCalls = fc.array(jsonCall, { minLength: 50, maxLength: 50, size: "max" });
  let allowed = 0;
  fc.assert(
    fc.property(anyRules, anyCalls, anyOptions, (rules, calls, options) => {
      const policy = policyOf(rules, options);
      for (const call of calls) {
        for (const trace of ["candidates", "full"] as const) {
          const { units, action } = evaluate(policy, call, { trace });
          if (action !== "allow") continue;
          allowed++;
          for (const { rule, steps } of units) {
            assert.equal(rule?.action, "allow");
            assert.equal(steps.find((step) => step.rule === rule)?.match, "yes");
          }
        }
      }
    }),
    { numRuns: 400, seed: 1 },
  );
  assert.ok(allowed > 100, `only ${allowed} were allowed`);
});

test("a line that may run more than one program is allowed by no narrower rule than the bare tool", () => {
  const commands = ["git status", "ls", "rm -rf /", "git push origin main", "echo a"];
  const joints = ["; ", " && ", " | ", "\n", " & ", " > ", " < ", "$(", "`", " (", ")", "\r", "\0"];
  const line = fc.tuple(
    fc.constantFrom(...commands),
    fc.constantFrom(...joints),
    fc.constantFrom(...commands),
  )
    .map((parts) => parts.join(""));
  fc.assert(
    fc.property(anyRules, line, anyOptions, (rules, command, options) => {
      const extra = commands.flatMap((text) => [
        { pattern: `Bash:${text}`, action: "allow" as const },
        { pattern: `Bash(${text}:*)`, action: "allow" as const },
        { pattern: `Bash:${text}*`, action: "allow" as const },
        { pattern: `Bash:~${text}`, action: "allow" as const },
        { pattern: `Bash:command=${text}*`, action: "allow" as const },
        { pattern: `Bash:command!=${text}`, action: "allow" as const },
        { pattern: `Bash:description!=x`, action: "allow" as const },
      ]);
      const policy = policyOf([...rules, ...extra], { ...options, shell: "parsed" });
      const { action, rule } = evaluate(policy, { tool: "Bash", input: { command } });
      if (action !== "allow") return;
      const entry = policy.entries("Bash").find((candidate) => candidate.rule === rule);
      const identical = policy.rules[rule!.index]!.parsed.spec === command;
      assert.ok(entry?.spec?.kind === "any" || identical, `${rule!.pattern} allows ${command}`);
    }),
    { numRuns: 4_000, seed: 2 },
  );
});

test("the identical line is allowed, and by a rule without a spec any line", () => {
  const command = "git status; ls | wc";
  for (const pattern of [`Bash:${command}`, `Bash(${command})`, "Bash", "*"]) {
    const policy = policyOf([{ pattern, action: "allow" }]);
    assert.equal(evaluate(policy, { tool: "Bash", input: { command } }).action, "allow");
  }
});

test("no flag turns a deny or a safety check into allow, and where nobody can be asked an ask is a deny", () => {
  const [mode] = MODES;
  fc.assert(
    fc.property(
      anyRules,
      anyCall,
      anyOptions,
      fc.boolean(),
      fc.boolean(),
      (rules, call, options, headless, autoAllow) => {
        const policy = policyOf(rules, options);
        const verdict = evaluate(policy, call);
        const { decision, decidedBy } = decide(policy, verdict, {
          mode: mode!,
          headless,
          autoAllow,
        });
        if (verdict.action !== "ask") assert.equal(decision, verdict.action);
        else if (verdict.by === "safety") {
          assert.equal(decision, headless ? "deny" : "ask");
          assert.equal(decidedBy, headless ? "headless" : "safety");
        } else if (verdict.units.every(({ by }) => by === "rule")) {
          assert.equal(decision, autoAllow ? "allow" : headless ? "deny" : "ask");
        }
      },
    ),
    { numRuns: 6_000, seed: 3 },
  );
});

test("with permissions switched off every call runs, and the decision says so", () => {
  fc.assert(
    fc.property(anyRules, anyCall, (rules, call) => {
      const policy = policyOf(rules);
      const { decision, decidedBy, mode } = decide(policy, evaluate(policy, call), {
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
