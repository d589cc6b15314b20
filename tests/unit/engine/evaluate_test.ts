import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolCall } from "../../../lib/model/call.ts";
import { evaluate } from "../../../lib/engine/evaluate.ts";
import { policyOf, type PolicyOptions, type TestRule } from "../../support/policy.ts";

function verdictOf(rules: readonly TestRule[], call: ToolCall, options: PolicyOptions = {}) {
  return evaluate(policyOf(rules, options), call);
}

function bash(command: string): ToolCall {
  return { tool: "Bash", input: { command } };
}

for (
  const call of [
    { tool: "", input: {} },
    { tool: 5, input: {} },
    { tool: "Bash", input: null },
    { tool: "Bash", input: [] },
    { tool: "Bash", input: "ls" },
    { tool: "Bash", input: {}, cwd: 5 },
  ]
) {
  test(`${JSON.stringify(call)} is no call: a TypeError, never a verdict`, () => {
    const policy = policyOf([{ pattern: "*", action: "allow" }]);
    assert.throws(() => evaluate(policy, call as unknown as ToolCall), TypeError);
  });
}

test("where no rule fits the verdict is ask, and its rule is null", () => {
  const { action, by, rule, reason } = verdictOf(
    [{ pattern: "Read", action: "allow" }],
    bash("ls"),
  );
  assert.deepEqual({ action, by, rule, reason }, {
    action: "ask",
    by: "rule",
    rule: null,
    reason: "no rule fits",
  });
});

for (
  const [name, rules, call, reason] of [
    [
      "allow",
      [{ pattern: "Bash:ls", action: "allow" }],
      bash("ls"),
      "the allow rule `Bash:ls` allows it",
    ],
    [
      "deny",
      [{ pattern: "Bash:ls", action: "deny" }],
      bash("ls"),
      "the deny rule `Bash:ls` denies it",
    ],
    [
      "ask",
      [{ pattern: "Bash:ls", action: "ask" }],
      bash("ls"),
      "the ask rule `Bash:ls` asks about it",
    ],
    [
      "deny with a reason",
      [{ pattern: "Bash:ls", action: "deny", reason: "use Glob" }],
      bash("ls"),
      "use Glob",
    ],
    [
      "safety check of a compound line",
      [{ pattern: "Bash:rm *", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash("ls; rm x"),
      'the deny rule `Bash:rm *` cannot be evaluated: the command has ";", so it may run more than `ls`',
    ],
    [
      "safety check of a missing argument",
      [{ pattern: "Bash:rm *", action: "ask" }, { pattern: "Bash", action: "allow" }],
      { tool: "Bash", input: {} },
      'the ask rule `Bash:rm *` cannot be evaluated: the call has no "command"',
    ],
    [
      "safety check of two spellings",
      [{ pattern: "Write:x", action: "deny" }, { pattern: "Write", action: "allow" }],
      { tool: "Write", input: { path: "a", file_path: "b" } },
      'the deny rule `Write:x` cannot be evaluated: "path" and "file_path" differ',
    ],
    [
      "safety check of an unknown tool",
      [{ pattern: "mcp__x:y", action: "deny" }, { pattern: "*", action: "allow" }],
      { tool: "mcp__x", input: { y: "y" } },
      "the deny rule `mcp__x:y` cannot be evaluated: the first argument of mcp__x is not known",
    ],
  ] as const satisfies readonly (readonly [string, readonly TestRule[], ToolCall, string])[]
) {
  test(`the reason of a verdict: ${name}`, () => {
    assert.equal(verdictOf(rules, call).reason, reason);
  });
}

test("a file: URL is also a read of its path, and the stricter of the two decides", () => {
  const rules: readonly TestRule[] = [
    { pattern: "Read:/etc/**", action: "deny" },
    { pattern: "*", action: "allow" },
  ];
  for (
    const url of [
      "file:///etc/passwd",
      "file:///etc/p%61sswd",
      "FILE:/etc/x",
      "file://localhost/etc/x",
    ]
  ) {
    const { action, units } = verdictOf(rules, { tool: "WebFetch", input: { url } });
    assert.equal(action, "deny", url);
    assert.deepEqual(units.map(({ kind, tool, via, action }) => [kind, tool, via, action]), [
      ["call", "WebFetch", null, "allow"],
      ["read", "Read", "file: URL", "deny"],
    ]);
  }
  assert.equal(
    verdictOf(rules, { tool: "WebFetch", input: { url: "file:///tmp/x" } }).action,
    "allow",
  );
  assert.equal(
    verdictOf(rules, { tool: "WebFetch", input: { url: "https://x.org/etc/x" } }).units.length,
    1,
  );
});

test("a malformed file: URL that the platform would read all the same is a read too", () => {
  const rules: readonly TestRule[] = [
    { pattern: "Read:/etc/**", action: "deny" },
    { pattern: "*", action: "allow" },
  ];
  for (
    const url of [
      " file:///etc/passwd",
      "file:///etc/passwd\n",
      "fi\tle:///etc/x",
      "file:\\\\\\etc\\x",
    ]
  ) {
    assert.equal(
      verdictOf(rules, { tool: "WebFetch", input: { url } }).action,
      "deny",
      JSON.stringify(url),
    );
  }
});

test("a project's allow that beats a user's deny or ask is a warning, also for a compound line", () => {
  const many = Array.from({ length: 40 }, (_, index): TestRule => ({
    pattern: `Bash:tool${index} *`,
    action: "deny",
  }));
  for (const command of ["rm -rf x", "rm x; ls", '"rm" x']) {
    const { action, warnings } = verdictOf([
      { pattern: "Bash", action: "allow", kind: "project" },
      ...many,
      { pattern: "Bash:rm *", action: "deny", kind: "user" },
    ], bash(command));
    assert.equal(action, "allow");
    assert.deepEqual(warnings, [
      "the project rule `Bash` (project.toml:1) allows what your deny rule `Bash:rm *` (user.toml:42) would not",
    ]);
  }
});

test("an allow of the user's own, or one that beats nothing, is no warning", () => {
  const user: TestRule = { pattern: "Bash:rm *", action: "deny", kind: "user" };
  const allow: TestRule = { pattern: "Bash", action: "allow", kind: "cli" };
  assert.deepEqual(verdictOf([allow, user], bash("rm x")).warnings, []);
  assert.deepEqual(verdictOf([{ ...allow, kind: "project" }, user], bash("ls")).warnings, []);
});

test("an answer for the session lets a question pass, and the steps say so", () => {
  const rules: readonly TestRule[] = [
    { pattern: "Bash(git push:*)", action: "allow", kind: "session" },
    { pattern: "Bash:git push --force *", action: "deny" },
    { pattern: "Bash", action: "ask" },
  ];
  const allowed = verdictOf(rules, bash("git push origin"));
  assert.deepEqual([allowed.action, allowed.rule?.index], ["allow", 0]);
  assert.deepEqual(allowed.units[0]!.steps.map(({ effect }) => effect), [
    "answers",
    "passes",
    "decides",
  ]);
  const denied = verdictOf(rules, bash("git push --force x"));
  assert.deepEqual([denied.action, denied.rule?.index], ["deny", 1]);
  assert.deepEqual(denied.units[0]!.steps.map(({ effect }) => effect), ["waits", "decides"]);
});

test("a full trace goes on behind the decision and tells why each rule does not fit", () => {
  const policy = policyOf([
    { pattern: "Read:x", action: "deny" },
    { pattern: "Bash:npm *", action: "allow" },
    { pattern: "Bash:git *", action: "allow" },
    { pattern: "Bash", action: "ask" },
  ]);
  const [unit] = evaluate(policy, bash("git status"), { trace: "full" }).units;
  assert.deepEqual(unit!.steps.map(({ effect, why }) => [effect, why]), [
    ["passes", "it is about `Read`"],
    ["passes", "the command starts with `git`"],
    ["decides", ""],
    ["after", ""],
  ]);
});
