import assert from "node:assert/strict";
import { test } from "node:test";
import { stringify } from "smol-toml";
import { enough } from "../../../support/cases.ts";
import fc from "../../../support/seeded.ts";
import { compileHooks } from "../../../../lib/gate/hooks/compile_hooks.ts";
import { hooksSchema } from "../../../../lib/policy/schema/permissions_schema.ts";
import { placedHooks } from "../../../../lib/gate/hooks/hooks_of_sources.ts";
import {
  type HooksText,
  readHooksJson,
  readHooksToml,
} from "../../../../lib/gate/hooks/read_hooks.ts";
import type { Problem } from "../../../../lib/model/problem.ts";
import { readJson } from "../../../../lib/text/json.ts";
import { duplicateKeys, jsonValue } from "../../../../lib/text/json_node.ts";

/** The configuration of the seeds' hooks page, as JSON and as TOML. */
const SEED = {
  hooks: {
    PreToolUse: [{
      matcher: "Bash",
      hooks: [{ type: "command", command: "bash .hooks/validate-bash.sh" }],
    }],
    PostToolUse: [{
      matcher: "",
      hooks: [{ type: "command", command: "bash .hooks/log-tool-use.sh" }],
    }],
  },
};

function said({ hooks, problems }: HooksText): readonly string[] {
  return [
    ...hooks.map(({ event, matcher, command }) =>
      `${event} ${matcher?.value ?? "-"}: ${command.value}`
    ),
    ...problems.map(shown),
  ];
}

function shown({ id, message, span, hint }: Problem): string {
  return `${span.line}:${span.column} ${id}: ${message}${hint === undefined ? "" : ` | ${hint}`}`;
}

test("the seeds' hooks read the same from JSON and from TOML", () => {
  const hooks = [
    "PreToolUse Bash: bash .hooks/validate-bash.sh",
    "PostToolUse : bash .hooks/log-tool-use.sh",
  ];
  assert.deepEqual(said(readHooksJson(JSON.stringify(SEED, null, 2))), hooks);
  assert.deepEqual(said(readHooksToml(stringify(SEED))), hooks);
  const written = `
[permissions]
shell = "parsed"

[[hooks.PreToolUse]]
matcher = "Bash"
[[hooks.PreToolUse.hooks]]
type = "command"
command = "bash .hooks/validate-bash.sh"

[[hooks.PostToolUse]]
matcher = ""
hooks = [{ command = "bash .hooks/log-tool-use.sh" }]
`;
  assert.deepEqual(said(readHooksToml(written)), hooks);
});

test("a text without hooks has none", () => {
  for (const text of ["", "[permissions]\n", "# hooks\n", "[hooks]\n", "hooks = {}\n"]) {
    assert.deepEqual(said(readHooksToml(text)), [], text);
  }
  for (const text of ["{}", ' {"hooks":{}}\n', '{"hooks":{"Stop":[]}}', '{"$schema":"x"}']) {
    assert.deepEqual(said(readHooksJson(text)), [], text);
  }
  assert.deepEqual(said(readHooksToml('"h\\u006foks" = 1\n')), [
    '1:16 wrong-type: Cannot read key "hooks": expected a table, not a number',
  ]);
});

test("everything wrong is told at once, with its place", () => {
  const text = `[hooks]
PreTooluse = []
PostToolUse = {}

[[hooks.PreToolUse]]
matchr = "Bash"
hooks = [{ type = "http", command = "x" }, { type = "command" }, "x", { command = "y", timeout = 5 }]

[[hooks.PreToolUse]]
matcher = ["Bash"]
hooks = [{ command = "never" }]

[[hooks.Stop]]
hooks = [{ command = " " }, { command = "a\\u0000b" }, { command = "fine" }]

[[hooks.SessionStart]]
command = "flat"
`;
  assert.deepEqual(said(readHooksToml(text)), [
    "PreToolUse -: y",
    "Stop -: fine",
    '2:1 unknown-key: Cannot read key "PreTooluse": there is no such hook event | Did you mean "PreToolUse"?',
    '3:1 wrong-type: Cannot read key "PostToolUse": expected an array, not a table',
    '6:1 unknown-key: Cannot read key "matchr": there is no such key here | Did you mean "matcher"?',
    '7:19 unknown-value: Cannot read type "http": expected one of command',
    '7:44 missing-key: Cannot read a hook of PreToolUse: its "command" is missing',
    '7:66 wrong-type: Cannot read an element of "hooks": expected a table, not a string',
    '7:88 unknown-key: Cannot read key "timeout": there is no such key here | Every hook has 10 seconds; omit it',
    '10:11 wrong-type: Cannot read key "matcher": expected a string, not an array',
    '14:22 unknown-value: Cannot read command " ": it is empty',
    '14:41 unknown-value: Cannot read command "a\\u0000b": it contains a NUL character',
    '16:1 missing-key: Cannot read an entry of SessionStart: its "hooks" is missing',
    '17:1 unknown-key: Cannot read key "command": there is no such key here | The keys here are matcher, hooks',
  ]);
});

test("JSON that is none, or no object of hooks, says where", () => {
  const cases = [
    ["", "1:1 json-syntax: Cannot read the file as JSON: it ends too early"],
    ["[]", "1:1 wrong-type: Cannot read the file as JSON: it is not an object"],
    [
      '{"hooks": null}',
      "1:11 wrong-type: Cannot read the file as JSON: null has no meaning here; omit it",
    ],
    ['{\n  "hooks": {},\n}', '3:1 json-syntax: Cannot read the file as JSON: unexpected "}"'],
    ["{'hooks': 1}", '1:2 json-syntax: Cannot read the file as JSON: unexpected "\'"'],
    ['{"hooks": {}} // x', '1:15 json-syntax: Cannot read the file as JSON: unexpected "/"'],
    [
      '{"hooks": {}, "hooks": {}}',
      '1:15 json-syntax: Cannot read key "hooks": it appears twice, and only one would count',
    ],
    [
      '{"a": "\n"}',
      "1:7 json-syntax: Cannot read the file as JSON: the string has no end, or a character that must be escaped",
    ],
    ["{".repeat(3), '1:2 json-syntax: Cannot read the file as JSON: unexpected "{"'],
    [
      `{"a":${"[".repeat(70)}`,
      "1:69 too-large: Cannot read the file as JSON: it is nested deeper than 64",
    ],
    [
      `{"a":"${"x".repeat(1_048_576)}"}`,
      "1:1 too-large: Cannot read the file as JSON: it has more than 1048576 characters",
    ],
    [
      '{"hook": {}}',
      '1:2 unknown-key: Cannot read key "hook": there is no such key here | Did you mean "hooks"?',
    ],
    [
      '{"permissions": {}}',
      '1:2 unknown-key: Cannot read key "permissions": there is no such key here | The only key here is "hooks"',
    ],
  ] as const;
  for (const [text, problem] of cases) {
    assert.deepEqual(said(readHooksJson(text)), [problem], text.slice(0, 40));
  }
});

test("a JSON object reads as JSON.parse reads it, each value at its place", () => {
  const value = fc.jsonValue({ maxDepth: 4, stringUnit: "binary" });
  const object = fc.dictionary(fc.string({ unit: "binary" }), value);
  fc.assert(fc.property(object, fc.constantFrom(0, 1, "\t"), (written, indent) => {
    const text = JSON.stringify(written, (_key, each) => each ?? "null", indent);
    const read = readJson(text, { syntax: "json" });
    assert.ok(read.ok && read.root.type === "object");
    const { root } = read;
    assert.deepEqual(jsonValue(root), JSON.parse(text));
    for (const { key, value } of root.members) {
      const { span } = value;
      assert.deepEqual(JSON.parse(text.slice(span.start, span.end)), jsonValue(value));
      const before = text.slice(0, key.start).split("\n");
      assert.deepEqual([key.line, key.column], [before.length, before.at(-1)!.length + 1]);
    }
  }));
});

test("what JSON.parse refuses is refused", () => {
  const mutated = fc.tuple(
    fc.constant(JSON.stringify(SEED, null, 1)),
    fc.nat(),
    fc.constantFrom("", "}", '"', ",", "\\", "\0", "1", "\u00a0", "[", ":", "01"),
    fc.nat(3),
  ).map(([text, place, inserted, removed]) => {
    const at = place % text.length;
    return text.slice(0, at) + inserted + text.slice(at + removed);
  });
  fc.assert(
    fc.property(mutated, (text) => {
      let value: unknown;
      try {
        value = JSON.parse(text);
      } catch {
        assert.ok(!readJson(text, { syntax: "json" }).ok, text);
        return;
      }
      const read = readJson(text, { syntax: "json" });
      assert.ok(read.ok, text);
      assert.deepEqual(jsonValue(read.root), value);
      const { problems } = readHooksJson(text);
      if (duplicateKeys(read.root).length > 0) assert.notEqual(problems.length, 0, text);
    }),
    { numRuns: 1000 },
  );
});

const scalar = fc.oneof(fc.string(), fc.boolean(), fc.integer(), fc.constant([]), fc.constant({}));

function mostly<T>(value: fc.Arbitrary<T>): fc.Arbitrary<unknown> {
  return fc.oneof({ arbitrary: value as fc.Arbitrary<unknown>, weight: 15 }, {
    arbitrary: scalar,
    weight: 1,
  });
}

function table(keys: Record<string, fc.Arbitrary<unknown>>, required: string) {
  const extra = fc.dictionary(fc.constantFrom("x", "timeout", ""), scalar, { maxKeys: 1 });
  const none = { arbitrary: fc.constant({}), weight: 15 };
  const known = fc.oneof(
    { arbitrary: fc.record(keys, { requiredKeys: [required] }), weight: 15 },
    { arbitrary: fc.record(keys, { requiredKeys: [] }), weight: 1 },
  );
  return fc.tuple(known, fc.oneof(none, { arbitrary: extra, weight: 1 })).map(([a, b]) => ({
    ...b,
    ...a,
  }));
}

test("the decoder and the schema take the same tables", () => {
  const hook = table({
    type: mostly(fc.constantFrom("command", "command", "command", "prompt")),
    command: mostly(fc.constantFrom("a", "b c", "a", "x\ny", " ", "")),
  }, "command");
  const group = table({
    matcher: mostly(fc.constantFrom("Bash", "", ".*")),
    hooks: mostly(fc.array(mostly(hook), { maxLength: 2 })),
  }, "hooks");
  const groups = mostly(fc.array(mostly(group), { maxLength: 2 }));
  const events = fc.dictionary(fc.constantFrom("PreToolUse", "Stop", "SessionStart"), groups, {
    maxKeys: 2,
  });
  const hooks = mostly(
    fc.oneof({ arbitrary: events, weight: 9 }, table({ Stopp: groups }, "Stopp")),
  );
  let right = 0;
  fc.assert(
    fc.property(hooks, (value) => {
      const { problems } = readHooksToml(stringify({ hooks: value }));
      const isRight = problems.length === 0;
      assert.equal(
        hooksSchema.safeParse(value).success,
        isRight,
        JSON.stringify({ value, problems }),
      );
      assert.deepEqual(
        said(readHooksJson(JSON.stringify({ hooks: value }))).length,
        said(readHooksToml(stringify({ hooks: value }))).length,
      );
      if (isRight) right++;
    }),
    { numRuns: 600 },
  );
  assert.ok(right > enough(100) && right < 550, `${right}`);
});

function compiled(text: string) {
  const entry = { kind: "project", path: "p.toml", text, state: "read", trusted: true } as const;
  return compileHooks(placedHooks(readHooksToml(text), entry).hooks);
}

test("compiling parses the matchers, and one that is wrong is no hook", async () => {
  const { hooks, problems } = await compiled(`
[[hooks.PreToolUse]]
matcher = "Bash|Edit"
hooks = [{ command = "one" }, { command = "two" }]
[[hooks.PreToolUse]]
matcher = "Bash("
hooks = [{ command = "three" }]
[[hooks.Stop]]
matcher = "Bash"
hooks = [{ command = "four" }]
[[hooks.Stop]]
matcher = "*"
hooks = [{ command = "five" }]
[[hooks.PostToolUse]]
matcher = "mcp__github__*"
hooks = [{ command = "six" }]
`);
  assert.deepEqual(
    hooks.map(({ command, matcher, source }) =>
      `${source.line}:${source.column} ${command} ${matcher.fits("Edit")}`
    ),
    [
      "4:22 one true",
      "4:43 two true",
      "13:22 five true",
      "16:22 six false",
    ],
  );
  assert.deepEqual(
    problems.map((problem) => `${problem.path}:${problem.severity} ${shown(problem)}`),
    [
      'p.toml:error 6:11 invalid-pattern: Cannot parse matcher "Bash(": missing closing ) | A matcher is a regular expression over the tool\'s whole name',
      'p.toml:error 9:11 never-fits: Cannot use matcher "Bash" for Stop: no tool is called then | Omit it',
      'p.toml:warning 15:11 never-fits: The matcher "mcp__github__*" is a regular expression, in which "*" repeats "_" only | To match any ending, write "mcp__github__.*"',
    ],
  );
});
