import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import type { CompiledPolicy } from "../../../lib/policy/compile/compiled_policy.ts";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { countsOf, runSuite } from "../../../lib/suite/run_suite.ts";
import { changesOf, percentOf, updatedText } from "../../../lib/suite/suite_report.ts";
import { readTestFile } from "../../../lib/suite/test_file.ts";
import { testCases } from "../../../lib/suite/test_call.ts";

const RULES = `[permissions]
default_mode = "plan"

[[permissions.rules]]
pattern = "Bash(git push --force:*)"
action = "deny"

[[permissions.rules]]
pattern = "Bash:git *"
action = "allow"

[[permissions.rules]]
pattern = "Bash:git status"
action = "ask"
`;

function outcomeOf(policy: CompiledPolicy, tests: string) {
  const reading = {
    profiles: policy.profiles,
    workspace: "/workspace",
    platform: "linux",
  } as const;
  const { file, problems } = readTestFile(tests, "/workspace/a.perms.toml");
  const { cases, problems: more } = testCases([file], reading);
  assert.deepEqual([...problems, ...more], []);
  return runSuite(policy, cases, { reading, now: 0, examples: "checked" });
}

/** The outcome of one test, which is written in TOML without its header. */
function oneOf(toml: string, rules = RULES) {
  const [outcome] = outcomeOf(policyFromToml(rules), `[[tests]]\n${toml}\n`).cases;
  assert.ok(outcome);
  return outcome;
}

test("the mode is default whatever the policy starts in, unless the test names one", () => {
  assert.equal(oneOf('call = "Bash:ls"\nexpect = "ask"').fits, true);
  assert.equal(oneOf('call = "Bash:ls"\nexpect = "deny"\nmode = "plan"').fits, true);
  assert.equal(
    oneOf('call = "Bash:rm x"\nexpect = "allow"\nmode = "bypassPermissions"').fits,
    true,
  );
});

test("where the policy enforces denials, a test cannot lift them", () => {
  const text = '[[permissions.rules]]\npattern = "Bash:rm *"\naction = "deny"\n';
  const call = 'call = "Bash:rm x"\nexpect = "deny"\nmode = "bypassPermissions"';
  assert.equal(oneOf(call, text).fits, false);
  const managed = policyFromToml(text);
  const source = { kind: "managed", path: "m", line: 1, column: 1 } as const;
  const settings = { ...managed.sources.settings, enforce: { value: true, source } };
  const enforced = managed.with({ ...managed.sources, settings });
  assert.ok(enforced);
  assert.equal(outcomeOf(enforced, `[[tests]]\n${call}\n`).cases[0]?.fits, true);
});

const RULE_NAMES: readonly (readonly [call: string, rule: string, fault: string | undefined])[] = [
  ["Bash:git push", "Bash:git *", undefined],
  ["Bash:git push", "Bash(git *)", undefined],
  ["Bash:git push --force", "Bash(git push --force:*)", undefined],
  [
    "Bash:git push --force",
    "Bash:git push --force:*",
    'no rule has the pattern "Bash:git push --force:*"; did you mean "Bash(git push --force:*)"?',
  ],
  ["Bash:git push", "Bash:git status", 'the rule "Bash:git status" does not decide it'],
  [
    "Bash:git push",
    "Bash:gti *",
    'no rule has the pattern "Bash:gti *"; did you mean "Bash:git *"?',
  ],
  ["Bash:git push", "builtin", "no built-in rule decides it"],
  ["Bash:ls", "builtin", undefined],
  ["Bash:ls", "none", "a rule decides it although no rule should"],
];

for (const [call, rule, fault] of RULE_NAMES) {
  test(`"${call}" is expected to be decided by ${rule}`, () => {
    const { ruleFault } = oneOf(`call = "${call}"\nexpect = "ask"\nrule = "${rule}"`);
    assert.equal(ruleFault, fault);
  });
}

test("where no rule fits, none decides", () => {
  const policy = policyFromToml(RULES, { builtin: "none" });
  const text = '[[tests]]\ncall = "Read:x"\nexpect = "ask"\nrule = "none"\n';
  assert.equal(countsOf(outcomeOf(policy, text)).failed, 0);
});

test("a rule is reached when it decides a unit, and a shadowed one is not", () => {
  const policy = policyFromToml(RULES);
  const line = '[[tests]]\ncall = "Bash:git log && git push --force"\nexpect = "deny"\n';
  const outcome = outcomeOf(policy, line);
  assert.deepEqual(outcome.coverage.unreached.map(({ pattern }) => pattern), ["Bash:git status"]);
  assert.equal(percentOf(outcome), 66);
  const shadowed = outcomeOf(policy, '[[tests]]\ncall = "Bash:git status"\nexpect = "allow"\n');
  assert.equal(shadowed.coverage.unreached.length, 2);
  assert.equal(percentOf(outcomeOf(policyFromToml(""), "")), 100);
});

test("an example of what a rule fits reaches it only where it decides", () => {
  const example = (pattern: string, match: string) =>
    `[[permissions.rules]]\npattern = "${pattern}"\naction = "allow"\nmatch = ["${match}"]\n`;
  const policy = policyFromToml(
    example("Bash:git *", "git log") + example("Bash:git log", "git log"),
  );
  const { coverage, examples } = outcomeOf(policy, "");
  assert.deepEqual(examples.map(({ fault }) => fault), [undefined, undefined]);
  assert.deepEqual(coverage.unreached.map(({ pattern }) => pattern), ["Bash:git log"]);
});

test("an update changes the values alone, quotes and comments kept", () => {
  const text = `# head\r
[[tests]]\r
call = "Bash:git status"\r
expect = "deny" # was\r
[[tests]]\r
call = "Bash:git push --force"\r
expect = 'allow'\r
[[tests]]\r
call = "Bash:ls"\r
expect = """allow"""\r
[[tests]]\r
call = "Bash:ls"\r
expect = "ask"\r
rule = "none"`;
  const changes = changesOf(outcomeOf(policyFromToml(RULES), text).cases);
  assert.deepEqual(changes.map(({ from, to, loosened }) => [from, to, loosened]), [
    ["deny", "allow", true],
    ["allow", "deny", false],
    ["allow", "ask", false],
  ]);
  const expected = text.replace('"deny" #', '"allow" #').replace("'allow'", "'deny'")
    .replace('"""allow"""', '"""ask"""');
  assert.equal(updatedText(text, changes), expected);
  assert.equal(updatedText(text, []), text);
});
