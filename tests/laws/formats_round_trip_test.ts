import assert from "node:assert/strict";
import { test } from "node:test";
import { mayOverlap } from "../../lib/policy/edit/may_overlap.ts";
import { evaluate } from "../../lib/decide/evaluate.ts";
import type { FormatRule } from "../../lib/agents/convert/format.ts";
import { FORMATS } from "../support/agents.ts";
import { strictness, type ToolCall } from "../../lib/model/call.ts";
import { isLooser, type Loss } from "../../lib/model/problem.ts";
import { toolProfiles } from "../../lib/policy/compile/profiles.ts";
import { anyCall, anyRule } from "../support/arbitrary.ts";
import { policyOf } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const profiles = toolProfiles(new Map());

const MACHINE = { context: { isSystemProgram: () => true } };

function written(name: string, rules: readonly FormatRule[]) {
  const format = FORMATS.find((each) => each.name === name)!;
  const { text, losses } = format.write(rules, {
    profiles,
    settings: {},
    mayOverlap: (first, stricter) => mayOverlap(first, { stricter, profiles }),
  });
  return { format, text, losses };
}

const bash = fc.tuple(
  fc.constantFrom("git", "git push", "rm -rf", "ls", "npm run test", "make", "git status -s"),
  fc.constantFrom("pre", "whole", "star", "glued", "inside", "mid", "one"),
).map(([text, form]) => {
  switch (form) {
    case "pre":
      return `Bash(${text}:*)`;
    case "star":
      return `Bash:${text} *`;
    case "glued":
      return `Bash:${text}*`;
    case "inside":
      return `Bash:~${text}`;
    case "mid":
      return `Bash:${text} * x`;
    case "one":
      return `Bash:${text} ?`;
    default:
      return `Bash:${text}`;
  }
});

const file = fc.tuple(
  fc.constantFrom("Read", "Write", "Edit", "NotebookEdit"),
  fc.constantFrom(
    "src/**",
    "/etc/*",
    "**/.env",
    "./a.ts",
    "~/x/**",
    "{a,b}.ts",
    "secrets",
    "a/*/b.ts",
    "[ab].ts",
  ),
).map(([tool, path]) => `${tool}:${path}`);

const rule: fc.Arbitrary<FormatRule> = fc.record({
  pattern: fc.oneof(
    { weight: 4, arbitrary: bash },
    { weight: 3, arbitrary: file },
    {
      weight: 2,
      arbitrary: fc.constantFrom("read", "edit", "delete", "repository", "secret").map((name) =>
        `Bash(@${name})`
      ),
    },
    fc.constantFrom("B*sh(@delete)", "*(@read)"),
    fc.constantFrom(
      "Bash",
      "*",
      "Read",
      "Write",
      "Edit",
      "mcp__a__b",
      "mcp__a__*",
      "WebFetch",
      "WebFetch:domain:x.org",
      "WebFetch:https://x.org/*",
      "Artifact:src/**",
      "Artifact:**/.env",
      "EnterWorktree:src/**",
      "Monitor:git *",
      "Monitor",
      "Workflow:name=a",
    ),
    anyRule.map(({ pattern }) => pattern),
  ),
  action: fc.constantFrom("allow", "allow", "ask", "deny"),
}).filter(({ pattern, action }) => {
  try {
    policyOf([{ pattern, action }]);
    return true;
  } catch (error) {
    if (error instanceof Error) return false;
    throw error;
  }
}) as fc.Arbitrary<FormatRule>;

const call: fc.Arbitrary<ToolCall> = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.tuple(
      fc.constantFrom(
        "git",
        "git push",
        "rm -rf",
        "ls",
        "npm run test",
        "make",
        "git status -s",
        "lsof",
        "rm",
        "cat",
        "cp a b; wc",
        "sort -o",
        "echo $TOKEN; true",
      ),
      fc.constantFrom("", " x", " a x", " -f", "x", " a b"),
    ).map(([a, b]) => ({ tool: "Bash", input: { command: a + b } })),
  },
  {
    weight: 3,
    arbitrary: fc.tuple(
      fc.constantFrom("Read", "Write", "Edit", "NotebookEdit"),
      fc.constantFrom(
        "src/a.ts",
        "/etc/x",
        "/etc/x/y",
        "a/.env",
        ".env",
        "a.ts",
        "/home/u/x/y",
        "b.ts",
        "secrets/k",
        "a/c/b.ts",
        "/a.ts",
      ),
    ).map(([tool, path]) => ({ tool, input: { path } })),
  },
  fc.constantFrom<ToolCall>(
    { tool: "mcp__a__b", input: {} },
    { tool: "mcp__a__c", input: {} },
    { tool: "WebFetch", input: { url: "https://x.org/" } },
    { tool: "WebFetch", input: { url: "https://a.x.org/b" } },
    { tool: "Other", input: {} },
    { tool: "Artifact", input: { file_path: "src/a.ts" } },
    { tool: "Artifact", input: { file_path: "a/.env" } },
    { tool: "EnterWorktree", input: { path: "b" } },
    { tool: "Monitor", input: { command: "rm -rf x" } },
    { tool: "Workflow", input: { name: "b" } },
  ),
  anyCall,
);

const BACK = FORMATS.filter(({ read }) => read).map(({ name }) => name);

/** Asks that these formats leave to the agent, which asks by itself, are asks of nobody in a policy without other rules. */
function readBack(name: string, rules: readonly FormatRule[]) {
  const { format, text, losses } = written(name, rules);
  const reading = format.read!(text, `x.${name}`);
  assert.deepEqual(reading.problems, [], `${name}\n${text}`);
  const all: readonly Loss[] = [...losses, ...reading.losses];
  return { text, losses: all, policy: policyOf(reading.rules, MACHINE) };
}

for (const name of BACK) {
  test(`${name}: what was written and read back never lets more through, but for what a loss says`, () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 6 }),
        fc.array(call, { minLength: 8, maxLength: 8 }),
        (rules, calls) => {
          const back = readBack(name, rules);
          if (back.losses.some(isLooser)) return;
          const policy = policyOf(rules, MACHINE);
          for (const each of calls) {
            const [before, after] = [evaluate(policy, each), evaluate(back.policy, each)];
            assert.ok(
              strictness(after.action) >= strictness(before.action),
              `${JSON.stringify(each)}: ${before.action}, then ${after.action}\n${back.text}`,
            );
          }
        },
      ),
      { numRuns: 100 },
    );
  });

  test(`${name}: what was written and read back without a loss decides the same`, () => {
    fc.assert(
      fc.property(
        fc.array(rule, { maxLength: 3 }),
        fc.array(call, { minLength: 8, maxLength: 8 }),
        (rules, calls) => {
          const back = readBack(name, rules);
          if (back.losses.some(({ action }) => action !== undefined)) return;
          const policy = policyOf(rules, MACHINE);
          for (const each of calls) {
            const [before, after] = [evaluate(policy, each), evaluate(back.policy, each)];
            assert.equal(after.action, before.action, `${JSON.stringify(each)}\n${back.text}`);
          }
        },
      ),
      { numRuns: 100 },
    );
  });
}

test("a question about a class hides no deny below it, and a class of tools by a wildcard stays", () => {
  const rules: readonly FormatRule[] = [
    { pattern: "Bash(@delete)", action: "ask" },
    { pattern: "Bash(mytool:*)", action: "deny" },
    { pattern: "B*sh(@system)", action: "deny" },
    { pattern: "Bash(@read)", action: "allow" },
    { pattern: "Bash(git:*)", action: "allow" },
  ];
  for (const name of BACK) {
    const { losses, policy, text } = readBack(name, rules);
    const action = (command: string) =>
      evaluate(policy, { tool: "Bash", input: { command } }).action;
    const lost = (pattern: string) => losses.filter(({ subject }) => subject === pattern);
    assert.ok(lost("Bash(@read)").some(({ kind }) => kind === "dropped"), name);
    assert.ok(lost("Bash(@delete)").length > 0, name);
    // A class that the lists of commands alone cannot say is a loss of its own.
    const isSaid = lost("B*sh(@system)").some(isLooser) && lost("Bash(@delete)").some(isLooser);
    assert.ok(
      isSaid || action("rm x") !== "allow" && action("git clean") !== "allow",
      `${name} ${text}`,
    );
    if (!lost("Bash(mytool:*)").some(isLooser)) assert.equal(action("mytool"), "deny", name);
    assert.notEqual(action("cat a"), "allow", name);
  }
});

test("an allow is never said to be widened", () => {
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 5 }), (rules) => {
      for (const { name } of FORMATS) {
        const widened = written(name, rules).losses.filter(({ kind, action }) =>
          kind === "widened" && action === "allow"
        );
        assert.deepEqual(widened, [], name);
      }
    }),
    { numRuns: 100 },
  );
});
