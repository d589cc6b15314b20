import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";

/** The problems of a text, each on one line: place, id, message and hint. */
function problemsOf(text: string): readonly string[] {
  return decodePolicy(text).problems.map(({ id, message, span, hint }) =>
    `${span.line}:${span.column} ${id}: ${message}${hint === undefined ? "" : ` | ${hint}`}`
  );
}

/** A rule of which one key is to be wrong. */
function ruleWith(line: string): string {
  return `[[permissions.rules]]\npattern = "Bash"\naction = "deny"\n${line}\n`;
}

const MESSAGES: readonly (readonly [string, string, readonly string[]])[] = [
  ["an action that is near one", '[[permissions.rules]]\npattern = "x"\naction = "alow"\n', [
    '3:10 unknown-value: Cannot read action "alow": expected one of deny, ask, allow | Did you mean "allow"?',
  ]],
  ["an action without quotes", '[[permissions.rules]]\npattern = "x"\naction = ask\n', [
    '3:10 toml-syntax: Cannot read the file as TOML: the value is not in quotes | Write action = "ask"',
  ]],
  ["a key that is near one", ruleWith('expiresAt = ""'), [
    '4:1 unknown-key: Cannot read key "expiresAt": there is no such key here | Did you mean "expires_at"?',
  ]],
  ["a key that is near none", ruleWith("zzz = 1"), [
    '4:1 unknown-key: Cannot read key "zzz": there is no such key here | The keys here are pattern, action, comment, reason, expires_at, match, not_match',
  ]],
  ["a setting below a rule", ruleWith("enforce = true"), [
    '4:1 misplaced-key: Cannot read key "enforce": it belongs under [permissions], above the rules',
  ]],
  ["a setting at the top", 'shell = "parsed"\n', [
    '1:1 misplaced-key: Cannot read key "shell": it belongs under [permissions], above the rules',
  ]],
  ["rules at the top", "[[rules]]\n", [
    '1:3 misplaced-key: Cannot read key "rules": it belongs under [permissions], above the rules',
  ]],
  ["one letter too few", "[tool.x]\n", [
    '1:2 unknown-key: Cannot read key "tool": there is no such key here | Did you mean "tools"?',
  ]],
  ["tests that are no list", "[permissions]\ntests = 1\n", [
    '2:9 wrong-type: Cannot read key "tests": expected an array, not a number',
  ]],
  ["a log that is neither on nor off", '[permissions]\naudit_log = "all"\n', [
    '2:13 wrong-type: Cannot read key "audit_log": expected true or false, not a string',
  ]],
  ["a mode that there is not", '[permissions]\ndefault_mode = "plam"\n', [
    '2:16 unknown-value: Cannot read default_mode "plam": expected one of default, acceptEdits, plan, auto, dontAsk, bypassPermissions | Did you mean "plan"?',
  ]],
  ["what a terminal would obey", '[permissions]\nshell = "\\u001b[2J\\u202E"\n', [
    '2:9 unknown-value: Cannot read shell "\\u001B[2J\\u202E": expected one of parsed, literal',
  ]],
  ["a date without zone", ruleWith("expires_at = 2027-01-01"), [
    '4:14 invalid-date: Cannot read expires_at "2027-01-01": it has no time zone; end it in Z or an offset such as +02:00',
  ]],
  ["a day that there is not", ruleWith('expires_at = "2027-02-30T00:00:00Z"'), [
    '4:14 invalid-date: Cannot read expires_at "2027-02-30T00:00:00Z": there is no such day',
  ]],
  ["a rule without action", '[[rule]]\ntool = "Bash:ls"\n', [
    '1:1 missing-key: Cannot read the rule "Bash:ls": its "action" is missing',
  ]],
  ["a reason on an ask", '[[rule]]\ntool = "x"\naction = "ask"\nreason = "y"\n', [
    '4:1 misplaced-reason: Cannot read key "reason": only a deny rule has one, and this is ask | Use "comment" for notes to people',
  ]],
  ["a control character", "a = 1\n\u0007", [
    "2:1 toml-syntax: Cannot read the file as TOML: the character U+0007 is not allowed",
  ]],
  ["a lone carriage return", "# a\rb = 1\n", [
    "1:4 toml-syntax: Cannot read the file as TOML: the character U+000D is not allowed",
  ]],
  ["a byte order mark that was left", "\ufeffa = 1\n", [
    "1:1 toml-syntax: Cannot read the file as TOML: the character U+FEFF has no meaning here | Remove it; it is invisible",
  ]],
];

for (const [name, text, expected] of MESSAGES) {
  test(`decodePolicy tells of ${name}`, () => assert.deepEqual(problemsOf(text), expected));
}

test("all problems of a file come at once, in the order of the text", () => {
  const text = '[tolls]\n[permissions]\nenforce = 1\n[[permissions.rules]]\naction = "x"\n';
  const ids = decodePolicy(text).problems.map((it) => `${it.span.line} ${it.id}`);
  assert.deepEqual(ids, ["1 unknown-key", "3 wrong-type", "4 missing-key", "5 unknown-value"]);
});

test("rules of the three shapes come in the order in which they count", () => {
  const canonical = decodePolicy(
    '[[permissions.rules]]\ntool = "B"\naction = "deny"\nreason = "r"\n' +
      '[[permissions.rules]]\npattern = "A"\naction = "allow"\nexpires_at = 2027-01-01 01:00:00+01:00\n',
  );
  assert.equal(canonical.shape, "canonical");
  assert.deepEqual(canonical.rules, [
    {
      pattern: { value: "B", span: { start: 29, end: 32, line: 2, column: 8 } },
      action: "deny",
      reason: "r",
      span: { start: 0, end: 21, line: 1, column: 1 },
    },
    {
      pattern: { value: "A", span: { start: 94, end: 97, line: 6, column: 11 } },
      action: "allow",
      expiresAt: Date.UTC(2027, 0, 1),
      span: { start: 62, end: 83, line: 5, column: 1 },
    },
  ]);
  const buckets = decodePolicy('[permissions]\nallow = ["A"]\nask = ["B"]\ndeny = ["C", "D"]\n');
  assert.equal(buckets.shape, "buckets");
  assert.deepEqual(
    buckets.rules.map((rule) => `${rule.action} ${rule.pattern.value} ${rule.span.line}`),
    ["deny C 4", "deny D 4", "ask B 3", "allow A 2"],
  );
  const older = decodePolicy('[[rule]]\ntool = "A"\naction = "ask"\n');
  assert.equal(older.shape, "rule-array");
  assert.deepEqual(older.rules.map((rule) => rule.pattern.value), ["A"]);
  assert.equal(decodePolicy("[permissions]\nenforce = true\n").shape, "none");
});

test("a file of two shapes is one problem that says which to keep", () => {
  const rules = '[[permissions.rules]]\npattern = "a"\naction = "ask"\n';
  const cases = [
    ["[permissions]\nallow = []\ndeny = []\n" + rules, "keep [[permissions.rules]]"],
    [rules + '[[rule]]\ntool = "a"\naction = "ask"\n', "keep [[permissions.rules]]"],
    ['[[rule]]\ntool = "a"\naction = "ask"\n[permissions]\nask = ["b"]\n', "keep [[rule]]"],
  ] as const;
  for (const [text, keep] of cases) {
    const [problem, ...others] = decodePolicy(text).problems;
    assert.deepEqual(others, []);
    assert.equal(problem?.id, "mixed-shapes");
    assert.ok(problem.message.includes(keep), problem.message);
    assert.match(problem.hint ?? "", /caliban perms export FILE --format toml/);
  }
});

test("settings and tools come with their places; names of prototypes are names", () => {
  const file = decodePolicy(
    '[permissions]\ndefaultMode = "default"\nmanaged_only = true\n' +
      '[tools.__proto__]\nkind = "url"\n[tools."a b"]\nfirst_arg = "x.y"\nclass = "read"\n',
  );
  assert.deepEqual(file.problems, []);
  assert.equal(file.settings.defaultMode?.value, "default");
  assert.deepEqual(file.settings.managedOnly, {
    value: true,
    span: { start: 53, end: 57, line: 3, column: 16 },
  });
  assert.deepEqual([...file.tools].map(([name, tool]) => [name, tool.value, tool.span.line]), [
    ["__proto__", { kind: "url" }, 4],
    ["a b", { firstArg: "x.y", class: "read" }, 6],
  ]);
});

test("what is too large or too deep is a problem, not an error thrown", () => {
  const cases = [
    " ".repeat(8 * 1024 * 1024 + 1),
    `a = "${"x".repeat(70_000)}"\n`,
    `a = "${"x".repeat(2_000_000)}"\n`,
    `a = ${"[".repeat(30_000)}${"]".repeat(30_000)}\n`,
  ];
  for (const text of cases) {
    assert.deepEqual(decodePolicy(text).problems.map((it) => it.id), ["too-large"]);
  }
});
