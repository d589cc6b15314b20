import assert from "node:assert/strict";
import { test } from "node:test";
import { readTestFile } from "../../../lib/suite/test_file.ts";
import { testCases } from "../../../lib/suite/test_call.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const reading = {
  profiles: toolProfiles(new Map()),
  workspace: "/ws",
  platform: "linux",
} as const;

/** Everything that is wrong in a test file, as `line:column message | hint`. */
function problemsOf(text: string): readonly string[] {
  const { file, problems } = readTestFile(text, "a.perms.toml");
  return [...problems, ...testCases([file], reading).problems].map(({ span, message, hint }) =>
    `${span.line}:${span.column} ${message}${hint === undefined ? "" : ` | ${hint}`}`
  );
}

const BROKEN: readonly (readonly [name: string, text: string, expected: readonly string[]])[] = [
  ["rules", '[[permissions.rules]]\npattern = "x"\n', [
    '1:3 Cannot read key "permissions": a test file has [[tests]] only | Rules belong in permissions.toml; --rules names another file of rules',
  ]],
  ["a slip of the key", '[[test]]\ncall = "x"\n', [
    '1:3 Cannot read key "test": a test file has [[tests]] only | Did you mean "tests"?',
  ]],
  ["no TOML", "[[tests]\n", [
    "1:1 Cannot read the file as TOML: the brackets of the header do not match | Write [[tests]]",
  ]],
  ["a tool that nobody knows", '[[tests]]\ncall = "Bsh:ls"\nexpect = "ask"\n', [
    '2:8 Cannot read the call of "Bsh": the text cannot be the first argument of Bsh: its first argument is unknown; write the input as JSON; did you mean "Bash"?',
  ]],
  ["a rule that is no pattern", '[[tests]]\ncall = "Bash:ls"\nexpect = "ask"\nrule = "Bash(ls"\n', [
    '4:8 Cannot read rule "Bash(ls": it is not a pattern | Write the pattern of a rule, "builtin" or "none"',
  ]],
  ["a call as check takes it", '[[tests]]\ncall = "Bash git push"\nexpect = "ask"\n', [
    '2:8 Cannot read call "Bash git push": a call is the tool, a colon and its first argument | Write "Bash:git push"',
  ]],
  ["a call with wildcards", '[[tests]]\ncall = "mcp__*"\nexpect = "ask"\n', [
    '2:8 Cannot read call "mcp__*": a call names one tool, without wildcards',
  ]],
  [
    "a test without a call, and one without an outcome",
    '[[tests]]\nexpect = "ask"\n[[tests]]\ncall = "Bash:ls"\n',
    [
      '1:1 Cannot read the test: its "call" is missing',
      '3:1 Cannot read the test: its "expect" is missing',
    ],
  ],
  [
    "folders that are none",
    '[[tests]]\ncall = { tool = "Bash", input = {}, cwd = "" }\nexpect = "ask"\n',
    [
      '2:43 Cannot read cwd "": expected a folder of the workspace',
    ],
  ],
  [
    "a folder with a NUL",
    '[[tests]]\ncall = { tool = "Bash", input = {}, cwd = "a\\u0000b" }\nexpect = "ask"\n',
    [
      '2:43 Cannot read cwd "a\\u0000b": expected a folder of the workspace',
    ],
  ],
  ["two faults at once", '[[tests]]\ncall = ""\nexpect = "alow"\nmod = 1\n', [
    '2:8 Cannot read call "": the tool\'s name is missing | Write a call as "Bash:git push"',
    '3:10 Cannot read expect "alow": expected one of deny, ask, allow | Did you mean "allow"?',
    '4:1 Cannot read key "mod": there is no such key here | Did you mean "mode"?',
  ]],
];

for (const [name, text, expected] of BROKEN) {
  test(`a test file with ${name} says what is wrong`, () => {
    const found = problemsOf(text);
    assert.equal(found.length, expected.length, found.join("\n"));
    for (const [index, each] of expected.entries()) {
      assert.equal(found[index]?.slice(0, each.endsWith(": ") ? each.length : undefined), each);
    }
  });
}

test("calls run in the workspace, or in the folder that they name from there", () => {
  const { file, problems } = readTestFile(
    `\ufeff[[tests]]
call = "Bash:ls"
expect = "ask"
[[tests]]
call = { tool = "Bash", input = { command = "ls" }, cwd = "sub/x" }
expect = "ask"
[[tests]]
call = { tool = "Bash", cwd = "/elsewhere" }
expect = "ask"
[[tests]]
call = "TodoWrite"
expect = "allow"
`,
    "/ws/a.perms.toml",
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(testCases([file], reading).cases.map(({ call }) => call), [
    { tool: "Bash", input: { command: "ls" }, cwd: "/ws" },
    { tool: "Bash", input: { command: "ls" }, cwd: "/ws/sub/x" },
    { tool: "Bash", input: {}, cwd: "/elsewhere" },
    { tool: "TodoWrite", input: {}, cwd: "/ws" },
  ]);
});

test("a key __proto__ in an input stays a key", () => {
  const { file } = readTestFile(
    '[[tests]]\ncall = { tool = "X", input = { "__proto__" = { a = 1 } } }\nexpect = "ask"\n',
    "a.perms.toml",
  );
  const [call] = testCases([file], reading).cases.map((each) => each.call);
  assert.deepEqual(Object.keys(call?.input ?? {}), ["__proto__"]);
});

test("an input that is nested too deep is refused, in whatever way it is written", () => {
  const deep = [
    `call = { tool = "X", input = { a = ${"[".repeat(400)}${"]".repeat(400)} } }`,
    `call = { tool = "X", input = { ${"a.".repeat(400)}a = 1 } }`,
    `call = 'X:{"a":${"[".repeat(400)}${"]".repeat(400)}}'`,
  ];
  for (const call of deep) {
    const problems = problemsOf(`[[tests]]\nexpect = "ask"\n${call}\n`);
    assert.match(problems.join("\n"), /nested deeper than 200/);
  }
});
