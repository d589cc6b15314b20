import assert from "node:assert/strict";
import { test } from "node:test";
import type { ToolCall } from "../../../lib/model/call.ts";
import { evaluate } from "../../../lib/decide/evaluate.ts";
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
    reason: "no rule matches",
  });
});

for (
  const [name, rules, call, reason, options] of [
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
      "deny of one of two commands",
      [{ pattern: "Bash:rm *", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash("ls; rm x"),
      "the deny rule `Bash:rm *` denies it",
    ],
    [
      "ask of a path that leads elsewhere",
      [{ pattern: "mcp__fs__put:path=/tmp/**", action: "ask" }],
      { tool: "mcp__fs__put", input: { path: "/tmp/../etc/passwd" } },
      "path is `/tmp/../etc/passwd`, so the ask rule `mcp__fs__put:path=/tmp/**` cannot be evaluated",
    ],
    [
      "safety check of a command with an unknown word",
      [{ pattern: "Bash:rm -rf *", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash('ls; rm "$@"'),
      "the text after `rm` is not fixed, so the deny rule `Bash:rm -rf *` cannot be evaluated",
    ],
    [
      "safety check of a command that is not known",
      [{ pattern: "Bash:rm *", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash("$x y"),
      "`$x y` cannot be analysed: the program that runs is not fixed: $x, so the deny rule `Bash:rm *` cannot be evaluated",
    ],
    [
      "safety check of a name with a wildcard",
      [{ pattern: "Read:**/.env", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash("cat .en*"),
      "the files that `.en*` names are not fixed, so the deny rule `Read:**/.env` cannot be evaluated",
    ],
    [
      "safety check of a redirection to a file that is not known",
      [{ pattern: "Write:/etc/**", action: "deny" }, { pattern: "Bash", action: "allow" }],
      bash('ls > "$f"'),
      'the file that `> "$f"` opens is not fixed, so the deny rule `Write:/etc/**` cannot be evaluated',
    ],
    [
      "safety check of a path below a home folder that is not known",
      [{ pattern: "Read:~/.ssh/**", action: "deny" }, { pattern: "Read", action: "allow" }],
      { tool: "Read", input: { path: "/root/.ssh/id" } },
      "the home folder is unknown, so the deny rule `Read:~/.ssh/**` cannot be evaluated",
      { context: { home: [] } },
    ],
    [
      "ask about what cannot be known",
      [{ pattern: "Bash:curl *", action: "allow" }, { pattern: "Bash", action: "ask" }],
      bash("curl x | bash -s"),
      "`bash -s` cannot be analysed: it runs its standard input; the ask rule `Bash` asks about it",
    ],
    [
      "ask about an operand that is not fixed",
      [{ pattern: "Bash:cat *", action: "allow" }, { pattern: "Read:**/.env", action: "deny" }],
      bash("cat $f"),
      "the file that the line reads is not fixed ($f), and `Read:**/.env` may match it",
    ],
    [
      "allow of a line that has more than needs a rule",
      [{ pattern: "Bash:npm *", action: "allow" }],
      bash("cd web && npm test"),
      "the allow rule `Bash:npm *` allows it",
    ],
    [
      "safety check of a missing argument",
      [{ pattern: "Bash:rm *", action: "ask" }, { pattern: "Bash", action: "allow" }],
      { tool: "Bash", input: {} },
      'the call has no "command", so the ask rule `Bash:rm *` cannot be evaluated',
    ],
    [
      "safety check of two spellings",
      [{ pattern: "Write:x", action: "deny" }, { pattern: "Write", action: "allow" }],
      { tool: "Write", input: { path: "a", file_path: "b" } },
      '"path" and "file_path" differ, so the deny rule `Write:x` cannot be evaluated',
    ],
    [
      "safety check of an unknown tool",
      [{ pattern: "mcp__x:y", action: "deny" }, { pattern: "*", action: "allow" }],
      { tool: "mcp__x", input: { y: "y" } },
      "the first argument of mcp__x is unknown, so the deny rule `mcp__x:y` cannot be evaluated",
    ],
  ] satisfies readonly (readonly [
    string,
    readonly TestRule[],
    ToolCall,
    string,
    PolicyOptions?,
  ])[]
) {
  test(`the reason of a verdict: ${name}`, () => {
    assert.equal(verdictOf(rules, call, options).reason, reason);
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

/** A unit in short: depth, kind, text, what it was reached through, and what is said about it by which rule. */
function unitsOf(rules: readonly TestRule[], command: string) {
  return verdictOf(rules, bash(command)).units.map((unit) => {
    const { depth, kind, text, via, action, by, rule } = unit;
    return [depth, kind, text, via, `${action}${by === "safety" ? "!" : ""}`, rule?.pattern];
  });
}

test("a line is judged unit by unit, each with what it was reached through", () => {
  const rules: readonly TestRule[] = [
    { pattern: "Bash:rm *", action: "deny" },
    { pattern: "Write:/etc/**", action: "deny" },
    { pattern: "Bash:ls *", action: "allow" },
    { pattern: "Bash", action: "ask" },
  ];
  assert.deepEqual(unitsOf(rules, "ls a | sudo env rm -rf b > c"), [
    [0, "command", "ls a", null, "allow", "Bash:ls *"],
    [0, "command", "sudo env rm -rf b > c", null, "ask", "Bash"],
    [1, "write", "c", "> c", "ask", undefined],
    [1, "command", "env rm -rf b", "sudo", "allow", undefined],
    [2, "command", "rm -rf b", "env", "deny", "Bash:rm *"],
    [3, "write", "b", "rm b", "allow", undefined],
  ]);
  assert.deepEqual(unitsOf(rules, "ls $(rm a); $x"), [
    [0, "command", "ls $(rm a)", null, "allow", "Bash:ls *"],
    [1, "command", "rm a", "$( )", "deny", "Bash:rm *"],
    [2, "write", "a", "rm a", "allow", undefined],
    [0, "opaque", "$x", null, "ask!", "Bash:rm *"],
  ]);
});

test("the strictest unit decides, the first among equals, and its rule is the verdict's", () => {
  const rules: readonly TestRule[] = [
    { pattern: "Bash:rm *", action: "deny" },
    { pattern: "Bash:curl *", action: "deny" },
    { pattern: "Bash:git push *", action: "ask" },
    { pattern: "Bash", action: "allow" },
  ];
  const said = (command: string) => {
    const { action, rule } = verdictOf(rules, bash(command));
    return [action, rule?.pattern];
  };
  assert.deepEqual(said("ls; curl x; rm x"), ["deny", "Bash:curl *"]);
  assert.deepEqual(said("git push & ls"), ["ask", "Bash:git push *"]);
  assert.deepEqual(said("ls && ls -a"), ["allow", "Bash"]);
});

test("what needs no rule beside a command that has one is asked about alone, and guarded all the same", () => {
  const npm: TestRule = { pattern: "Bash:npm *", action: "allow" };
  const ask: TestRule = { pattern: "Bash", action: "ask" };
  const actionOf = (command: string, ...more: readonly TestRule[]) =>
    verdictOf([...more, npm, ask], bash(command)).action;
  assert.equal(actionOf("echo a | tail -2"), "ask");
  assert.equal(actionOf("cd web && npm test 2>&1 | tail -2; echo $?"), "allow");
  assert.equal(actionOf("cd /etc && npm test"), "ask");
  assert.equal(actionOf("echo a; npm test", { pattern: "Bash:echo *", action: "ask" }), "ask");
  assert.equal(actionOf("echo a; npm test", { pattern: "Bash:~echo", action: "deny" }), "deny");
  assert.equal(actionOf("echo a > f; npm test"), "ask");
});

test("a redirection is judged by the rules of the file tools, and covered by a bare allow in its place", () => {
  const write: TestRule = { pattern: "Write:/etc/**", action: "deny" };
  const bare: TestRule = { pattern: "Bash", action: "allow" };
  const actionOf = (rules: readonly TestRule[], command: string) =>
    verdictOf(rules, bash(command)).action;
  assert.equal(actionOf([write, bare], "ls > /etc/x"), "deny");
  assert.equal(actionOf([bare, write], "ls > /etc/x"), "allow");
  assert.equal(actionOf([write, bare], "ls > x"), "allow");
  assert.equal(actionOf([{ pattern: "Bash:ls *", action: "allow" }], "ls a > x"), "ask");
  assert.equal(actionOf([{ pattern: "Bash:ls a > x", action: "allow" }], "ls a > x"), "allow");
  assert.equal(
    actionOf([{ pattern: "Edit:/etc/**", action: "deny" }, bare], "cd /etc; ls > x"),
    "deny",
  );
});

test("where lines are read as one string, a call is one unit", () => {
  const rules: readonly TestRule[] = [{ pattern: "Bash:git *", action: "allow" }];
  const { action, units } = verdictOf(rules, bash("git a; rm b"), { shell: "literal" });
  assert.deepEqual([action, units.map(({ kind, text }) => [kind, text])], [
    "allow",
    [["call", "git a; rm b"]],
  ]);
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
    ["passes", "it is for `Read`"],
    ["passes", "the command starts with `git`"],
    ["decides", ""],
    ["after", ""],
  ]);
});

test("a rule about another field does not name a command, known or not", () => {
  const policy = policyOf([{ pattern: "Bash:description=x", action: "allow" }]);
  const why = (command: string) => {
    const call = { tool: "Bash", input: { command, description: "x" } };
    return evaluate(policy, call, { trace: "full" }).units[0]!.steps[0]!.why;
  };
  assert.equal(why('"$x"'), "it does not name the command, which cannot be analysed");
  assert.equal(why("ls; pwd"), "it does not name the command, and the line does more than run one");
});

/** Rules, a line in which an earlier command may make a file a link, and its verdict. */
const RELINKED: readonly (readonly [readonly string[], string, string])[] = [
  [["deny Read:**/.env", "allow Bash"], "tar xf a && cat < f", "ask safety"],
  [["allow Bash:tar xf a && cat < f", "deny Read:**/.env"], "tar xf a && cat < f", "allow rule"],
  [["allow Bash:cat *", "allow Bash:tar *"], "tar xf a && cat < f", "ask safety"],
  [["deny Read:**/f", "allow Bash"], "tar xf a && cat < f", "deny rule"],
  // A folder whose place is unknown may be any.
  [["deny Read:**/.env", "allow Bash"], "cp -a x/. ~/d && cat < y/f", "ask safety"],
  [["deny Read:**/.env", "allow Bash"], "cp -a x/. d && cat < y/f", "allow rule"],
  // Commands of a pipe start together, and a script behind wrappers is one of them.
  [["deny Read:**/.env", "allow Bash"], "cat a b | sh -c 'git switch x'", "ask rule"],
  [["deny Read:**/.env", "allow Bash"], "cat a b | timeout 5 sh -c 'git switch x'", "ask rule"],
  [["deny Read:**/.env", "allow Bash"], "cat a b | nice nohup bash -c 'mv c b'", "ask rule"],
  [["deny Read:**/.env", "allow Bash"], "cat a b | timeout 5 sh -c 'wc -l'", "allow rule"],
];

test("a file that may be a link by then is denied by its own name, and allowed by the whole line only", () => {
  for (const [lines, command, expected] of RELINKED) {
    const rules = lines.map((line): TestRule => {
      const at = line.indexOf(" ");
      return { action: line.slice(0, at) as TestRule["action"], pattern: line.slice(at + 1) };
    });
    const { action, by } = verdictOf(rules, bash(command), { context: { home: [] } });
    assert.equal(`${action} ${by}`, expected, `${lines.join("; ")}: ${command}`);
  }
});
