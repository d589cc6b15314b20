import assert from "node:assert/strict";
import { test } from "node:test";
import { decodeAutoMode } from "../../../../lib/gate/auto/decode_auto_mode.ts";

/** The problems of a text, each on one line: place, id, message and hint. */
function problemsOf(text: string): readonly string[] {
  return decodeAutoMode(text).problems.map(({ id, severity, message, span, hint }) => {
    const what = severity === "error" ? id : `${severity} ${id}`;
    return `${span.line}:${span.column} ${what}: ${message}${
      hint === undefined ? "" : ` | ${hint}`
    }`;
  });
}

const CLASSIFIER = '[classifier]\nbase_url = "http://127.0.0.1:1/v1"\nmodel = "m"\n';

test("the file of the specification is read whole", () => {
  const file = decodeAutoMode(`
environment = ["workspace = $CWD", "git_remote = $GIT_REMOTE", "is_main_branch = $IS_MAIN_BRANCH"]
allow       = ["$defaults.allow", "Bash:cargo test *"]
soft_deny   = ["$defaults.soft_deny", "Write:**/secrets/**"]
hard_deny   = ["$defaults.hard_deny", "Bash:* > /dev/sd*"]
disable_auto_mode = false

[classifier]
base_url = "http://127.0.0.1:11434/v1"
model = "qwen3:4b"
api_key_env = "OPENAI_API_KEY"
timeout_ms = 5000
`);
  assert.deepEqual(file.problems, []);
  const texts = [...file.lists].map((
    [name, { elements: items }],
  ) => [name, items.map((it) => it.value)]);
  assert.deepEqual(texts, [
    ["environment", [
      "workspace = $CWD",
      "git_remote = $GIT_REMOTE",
      "is_main_branch = $IS_MAIN_BRANCH",
    ]],
    ["allow", ["$defaults.allow", "Bash:cargo test *"]],
    ["soft_deny", ["$defaults.soft_deny", "Write:**/secrets/**"]],
    ["hard_deny", ["$defaults.hard_deny", "Bash:* > /dev/sd*"]],
  ]);
  assert.equal(file.disableAutoMode?.value, false);
  assert.deepEqual(file.classifier?.value, {
    baseUrl: "http://127.0.0.1:11434/v1",
    model: "qwen3:4b",
    apiKeyEnv: "OPENAI_API_KEY",
    timeoutMs: 5000,
  });
});

test("what is left out is absent, and a classifier waits five seconds", () => {
  assert.deepEqual(decodeAutoMode(""), { lists: new Map(), problems: [] });
  const { classifier } = decodeAutoMode(CLASSIFIER);
  assert.deepEqual(classifier?.value, {
    baseUrl: "http://127.0.0.1:1/v1",
    model: "m",
    timeoutMs: 5000,
  });
});

test("the older spelling of the kill switch is read", () => {
  assert.equal(decodeAutoMode("disableAutoMode = true").disableAutoMode?.value, true);
});

const MESSAGES: readonly (readonly [string, string, readonly string[]])[] = [
  ["a key that is near one", "soft_denny = []", [
    '1:1 unknown-key: Cannot read key "soft_denny": there is no such key here | Did you mean "soft_deny"?',
  ]],
  ["a key that is near none", "zzz = 1", [
    '1:1 unknown-key: Cannot read key "zzz": there is no such key here | The keys here are environment, allow, soft_deny, hard_deny, disable_auto_mode, classifier',
  ]],
  ["a list below the classifier", `${CLASSIFIER}allow = []`, [
    '4:1 misplaced-key: Cannot read key "allow": it belongs at the top of the file, above [classifier]',
  ]],
  ["a key of the classifier at the top", 'model = "m"', [
    '1:1 misplaced-key: Cannot read key "model": it belongs in the [classifier] table',
  ]],
  ["both spellings of the kill switch", "disable_auto_mode = true\ndisableAutoMode = true", [
    '2:1 misplaced-key: Cannot read key "disableAutoMode": the file has "disable_auto_mode" as well | Keep "disable_auto_mode"',
  ]],
  ["a list that is none", 'allow = "Bash"', [
    '1:9 wrong-type: Cannot read key "allow": expected an array, not a string',
  ]],
  ["an element that is no text", "allow = [1]", [
    '1:10 wrong-type: Cannot read an element of "allow": expected a string, not a number',
  ]],
  ["defaults that there are not", 'hard_deny = ["$default.hard_deny"]', [
    '1:14 unknown-value: Cannot read an element of "hard_deny" "$default.hard_deny": expected a pattern or one of $defaults, $defaults.hard_deny, $defaults.soft_deny | Did you mean "$defaults.hard_deny"?',
  ]],
  ["denials that would be allowed", 'allow = ["$defaults.hard_deny"]', [
    '1:10 unknown-value: Cannot read an element of "allow" "$defaults.hard_deny": expected a pattern or one of $defaults, $defaults.allow',
  ]],
  ["an allow among denials", 'soft_deny = ["$defaults.allow"]', [
    '1:14 unknown-value: Cannot read an element of "soft_deny" "$defaults.allow": expected a pattern or one of $defaults, $defaults.soft_deny, $defaults.hard_deny',
  ]],
  ["defaults among lines", 'environment = ["$defaults.allow"]', [
    '1:16 unknown-value: Cannot read an element of "environment" "$defaults.allow": expected a line or one of $defaults, $defaults.environment',
  ]],
  ["a variable that there is not", 'environment = ["x = $CWDX and $CWD"]', [
    '1:16 unknown-value: Cannot read an element of "environment" "x = $CWDX and $CWD": there is no variable "$CWDX" | Did you mean "$CWD"?',
  ]],
  ["a variable that could be a secret", 'environment = ["k = $OPENAI_API_KEY"]', [
    '1:16 unknown-value: Cannot read an element of "environment" "k = $OPENAI_API_KEY": there is no variable "$OPENAI_API_KEY" | The variables are $WORKSPACE, $CWD, $GIT_REMOTE, $IS_MAIN_BRANCH',
  ]],
  ["a kill switch that is no boolean", 'disable_auto_mode = "yes"', [
    '1:21 wrong-type: Cannot read key "disable_auto_mode": expected true or false, not a string',
  ]],
  ["a classifier that lacks all", "[classifier]", [
    '1:1 missing-key: Cannot read [classifier]: it has no "base_url"',
    '1:1 missing-key: Cannot read [classifier]: it has no "model"',
  ]],
  ["a classifier that is no table", 'classifier = "m"', [
    '1:14 wrong-type: Cannot read key "classifier": expected a table, not a string',
  ]],
  [
    "a password in the address",
    '[classifier]\nbase_url = "https://u:geheim@x.org/v1"\nmodel = "m"',
    [
      '2:12 unknown-value: Cannot read base_url: expected http:// or https://, a host and a path, without user, password, query or fragment | For example "http://127.0.0.1:11434/v1"',
    ],
  ],
  ["a key in place of its variable's name", `${CLASSIFIER}api_key_env = "sk-geheim"`, [
    '4:15 unknown-value: Cannot read api_key_env: expected the name of a variable, in capitals | For example "OPENAI_API_KEY"; a file must not hold the key itself',
  ]],
  ["a key under a name of its own", `${CLASSIFIER}api_key = "sk-geheim"`, [
    '4:1 unknown-key: Cannot read key "api_key": a file must not hold a key | Set api_key_env to the name of the variable that holds it',
  ]],
  ["a time that is none", `${CLASSIFIER}timeout_ms = 0`, [
    "4:14 unknown-value: Cannot read timeout_ms: expected a whole number of milliseconds from 1 to 600000",
  ]],
  ["the longest time and the shortest", `${CLASSIFIER}timeout_ms = 600000\n`, []],
  ["a time of 1 ms", `${CLASSIFIER}timeout_ms = 1\n`, []],
  ["a time that is too long", `${CLASSIFIER}timeout_ms = 600001`, [
    "4:14 unknown-value: Cannot read timeout_ms: expected a whole number of milliseconds from 1 to 600000",
  ]],
  ["a part of a ms", `${CLASSIFIER}timeout_ms = 1.5`, [
    "4:14 unknown-value: Cannot read timeout_ms: expected a whole number of milliseconds from 1 to 600000",
  ]],
  ["a time in words", `${CLASSIFIER}timeout_ms = "5s"`, [
    "4:14 wrong-type: Cannot read timeout_ms: expected a whole number of milliseconds from 1 to 600000",
  ]],
  ["plain HTTP to another machine", '[classifier]\nbase_url = "http://llm.lan/v1"\nmodel = "m"', [
    '2:12 warning unknown-value: The base_url "http://llm.lan/v1" sends calls and key unencrypted | Use https:// for a server on another machine',
  ]],
  ["no TOML", "allow = [", [
    '1:9 toml-syntax: Cannot read the file as TOML: "[" is not closed | Close it with "]"',
  ]],
];

for (const [name, text, expected] of MESSAGES) {
  test(`a problem is told where it stands: ${name}`, () => {
    assert.deepEqual(problemsOf(text), expected);
  });
}

test("neither a password nor a key is quoted in a message", () => {
  for (const [, text] of MESSAGES.filter(([, text]) => text.includes("geheim"))) {
    assert.doesNotMatch(problemsOf(text).join("\n"), /geheim/);
  }
});

test("a classifier with an error does not count, one with a warning does", () => {
  assert.equal(decodeAutoMode(`${CLASSIFIER}api_key_env = "x y"`).classifier, undefined);
  const file = decodeAutoMode('[classifier]\nbase_url = "http://llm.lan/v1"\nmodel = "m"');
  assert.equal(file.classifier?.value.model, "m");
});
