import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../support/seeded.ts";
import { parse } from "smol-toml";
import {
  type CommandClass,
  type Json,
  type JsonObject,
  MODE_NAMES,
  TOOL_CLASSES,
  TOOL_KINDS,
  TOOL_SHELLS,
  type ToolOverride,
} from "../../lib/model/call.ts";
import type { Located } from "../../lib/model/problem.ts";
import type {
  FileSettings,
  PolicyFile,
  WrittenCall,
  WrittenRule,
  WrittenTest,
} from "../../lib/model/rule.ts";
import { decodePolicy } from "../../lib/policy/decode/decode_policy.ts";
import { tomlKey, tomlString } from "../../lib/text/toml_text.ts";
import { printPolicy } from "../../lib/policy/edit/print_policy.ts";
import { text, wrapper } from "./decode_texts.ts";

const span = { start: 0, end: 0, line: 1, column: 1 };

function located<T>(value: fc.Arbitrary<T>): fc.Arbitrary<Located<T>> {
  return value.map((it) => ({ value: it, span }));
}

const settings: fc.Arbitrary<FileSettings> = fc.record({
  defaultMode: located(fc.constant("default" as const)),
  enforce: located(fc.boolean()),
  shell: located(fc.constantFrom("parsed", "literal")),
  enforceExpiry: located(fc.boolean()),
  auditLog: located(fc.boolean()),
  requireTrust: located(fc.boolean()),
  managedOnly: located(fc.boolean()),
  unmatched: located(fc.constantFrom("ask", "agent")),
  wrappers: located(fc.array(located(wrapper), { maxLength: 3 })),
  variables: located(fc.array(located(fc.constantFrom("ABC", "x_1")), { maxLength: 2 })),
  classes: located(fc.array(
    fc.record({
      name: fc.constantFrom<CommandClass>("read", "service-read"),
      command: located(fc.constantFrom("just test", "bin/ci *")),
    }),
    // Those of one class stand together in a file.
    { maxLength: 1 },
  )),
  repositories: located(fc.array(located(fc.constantFrom("~/src/*", "/x/y.z")), { maxLength: 2 })),
}, { requiredKeys: [], noNullPrototype: true });

const expiresAt = fc.integer({
  min: Date.parse("0000-01-01T00:00Z"),
  max: Date.parse("9999-12-31T00:00Z"),
});

const examples = fc.array(located(text), { maxLength: 2 });

const rule: fc.Arbitrary<WrittenRule> = fc.oneof(
  fc.record(
    {
      pattern: located(text),
      action: fc.constantFrom("allow", "ask"),
      comment: text,
      expiresAt,
      match: examples,
      notMatch: examples,
      span: fc.constant(span),
    },
    { requiredKeys: ["pattern", "action", "span"], noNullPrototype: true },
  ),
  fc.record(
    {
      pattern: located(text),
      action: fc.constant("deny"),
      comment: text,
      reason: text,
      expiresAt,
      match: examples,
      notMatch: examples,
      span: fc.constant(span),
    },
    { requiredKeys: ["pattern", "action", "span"], noNullPrototype: true },
  ),
);

const tool: fc.Arbitrary<ToolOverride> = fc.record({
  firstArg: fc.constantFrom("sql", "a.b-c.__proto__"),
  kind: fc.constantFrom(...TOOL_KINDS),
  class: fc.constantFrom(...TOOL_CLASSES),
  shell: fc.constantFrom(...TOOL_SHELLS),
}, { requiredKeys: [], noNullPrototype: true })
  .map(({ shell, ...rest }) => {
    return shell && (rest.kind ?? "command") === "command" ? { ...rest, shell } : rest;
  });

const tools = fc.array(fc.tuple(fc.oneof(text, fc.constant("__proto__")), located(tool)), {
  maxLength: 3,
})
  .map((it) => new Map(it));

const json: fc.Arbitrary<Json> = fc.letrec<{ value: Json; table: JsonObject }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 3 },
    text,
    fc.boolean(),
    fc.integer(),
    fc.double({ noDefaultInfinity: true, noNaN: true }).map((it) => it === 0 ? 0 : it),
    fc.array(tie("value"), { maxLength: 3 }),
    tie("table"),
  ),
  table: fc.array(fc.tuple(fc.oneof(text, fc.constant("__proto__")), tie("value")), {
    maxLength: 3,
  }).map((members) => Object.fromEntries(members)),
})).value;

const toolName = fc.constantFrom("Bash", "mcp__x__y", "-x", "é");

const call: fc.Arbitrary<WrittenCall> = fc.oneof(
  fc.record({
    form: fc.constant("text"),
    tool: toolName,
    text: text.filter((it) => !/^\s/.test(it)),
    span: fc.constant(span),
  }, { requiredKeys: ["form", "tool", "span"], noNullPrototype: true }),
  fc.record({
    form: fc.constant("table"),
    tool: toolName,
    input: json.map((value) => ({ value })),
    cwd: fc.constantFrom("sub", "/x"),
    span: fc.constant(span),
  }, { requiredKeys: ["form", "tool", "input", "span"], noNullPrototype: true }),
);

const policyTest: fc.Arbitrary<WrittenTest> = fc.record({
  call,
  expect: located(fc.constantFrom("allow", "deny", "ask")),
  mode: fc.constantFrom(...MODE_NAMES),
  rule: located(text),
  why: text,
  span: fc.constant(span),
}, { requiredKeys: ["call", "expect", "span"], noNullPrototype: true });

const policyFile: fc.Arbitrary<PolicyFile> = fc.record({
  shape: fc.constant("none" as const),
  settings,
  rules: fc.array(rule, { maxLength: 4 }),
  tests: fc.array(policyTest, { maxLength: 2 }),
  tools,
  problems: fc.constant([]),
});

/** The file without its spans. */
function bare(file: PolicyFile) {
  const { wrappers, variables, classes, repositories, ...others } = file.settings;
  const values = Object.entries(others).map((
    [key, it],
  ) => [key, (it as Located<unknown>).value]);
  return {
    settings: Object.fromEntries(values),
    wrappers: wrappers?.value.map(({ value }) => value),
    variables: variables?.value.map(({ value }) => value),
    // A table without a class says nothing.
    classes: (classes?.value ?? []).map(({ name, command }) => [name, command.value]),
    repositories: repositories?.value.map(({ value }) => value),
    rules: file.rules.map((it) => ({
      ...it,
      pattern: it.pattern.value,
      match: it.match?.map(({ value }) => value),
      notMatch: it.notMatch?.map(({ value }) => value),
      span: undefined,
    })),
    tests: (file.tests ?? []).map((it) => ({
      ...it,
      call: { ...it.call, span: undefined },
      expect: it.expect.value,
      rule: it.rule?.value,
      span: undefined,
    })),
    tools: [...file.tools].map(([name, it]) => [name, it.value]),
  };
}

test("what is written is read back the same", () => {
  fc.assert(
    fc.property(policyFile, fc.option(text, { nil: undefined }), (file, header) => {
      const written = printPolicy(file, header === undefined ? {} : { header });
      const read = decodePolicy(written);
      assert.deepEqual(read.problems, [], written);
      assert.deepEqual(bare(read), bare(file));
      assert.equal(read.shape, file.rules.length > 0 ? "canonical" : "none");
      assert.equal(printPolicy(read), printPolicy(file));
    }),
    { numRuns: 500 },
  );
});

test("strings and keys are what another TOML parser reads", () => {
  fc.assert(fc.property(text, text, (key, value) => {
    const read = parse(`${tomlKey(key)} = ${tomlString(value)}\n`);
    assert.deepEqual(Object.entries(read), [[key, value]]);
  }));
});
