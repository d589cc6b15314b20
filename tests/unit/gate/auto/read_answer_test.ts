import assert from "node:assert/strict";
import { test } from "node:test";
import { readAnswer, readCompletion } from "../../../../lib/gate/auto/model_answer.ts";
import { enough } from "../../../support/cases.ts";
import fc from "../../../support/seeded.ts";

const ALLOW = '{"decision":"allow","reason":"fine"}';

const TAKEN: readonly (readonly [name: string, text: string, decision: string, reason: string])[] =
  [
    ["plain", ALLOW, "allow", "fine"],
    ["with blanks", ' {\n "reason" : "no" ,\n "decision" : "soft_deny" }\n', "soft_deny", "no"],
    ["an alias", '{"verdict":"hard_deny","reason":"bad"}', "hard_deny", "bad"],
    ["fenced", "```json\n" + ALLOW + "\n```", "allow", "fine"],
    ["fenced without language", "```\n" + ALLOW + "\n```\n", "allow", "fine"],
    ["escapes", '{"decision":"allow","reason":"a \\"b\\" \\u00e9"}', "allow", 'a "b" é'],
    ["no reason", '{"decision":"allow","reason":""}', "allow", ""],
    [
      "120 characters",
      `{"decision":"allow","reason":"${"😀".repeat(120)}"}`,
      "allow",
      "😀".repeat(120),
    ],
  ];

for (const [name, text, decision, reason] of TAKEN) {
  test(`an answer is taken: ${name}`, () => {
    assert.deepEqual(readAnswer(text), { ok: true, answer: { decision, reason } });
  });
}

const REFUSED: readonly (readonly [name: string, text: string])[] = [
  ["nothing", ""],
  ["a word", "allow"],
  ["text before", `Sure! ${ALLOW}`],
  ["text behind", `${ALLOW} I hope that helps`],
  ["text behind the fence", "```json\n" + ALLOW + "\n```\nallow"],
  ["two objects", ALLOW + ALLOW],
  ["an array", `[${ALLOW}]`],
  ["a string", JSON.stringify(ALLOW)],
  ["cut off", ALLOW.slice(0, -2)],
  ["an unknown decision", '{"decision":"yes","reason":"r"}'],
  ["another case", '{"decision":"ALLOW","reason":"r"}'],
  ["a decision that is no text", '{"decision":true,"reason":"r"}'],
  ["a reason that is no text", '{"decision":"allow","reason":null}'],
  ["no reason at all", '{"decision":"allow"}'],
  ["no decision", '{"reason":"r"}'],
  ["one key more", '{"decision":"allow","reason":"r","x":1}'],
  ["a key inside a key", '{"decision":{"decision":"allow"},"reason":"r"}'],
  ["two decisions", '{"decision":"hard_deny","decision":"allow"}'],
  ["both names", '{"decision":"soft_deny","verdict":"allow"}'],
  ["the same key twice", '{"decision":"soft_deny","reason":"r","decision":"allow"}'],
  ["two reasons", '{"reason":"a","reason":"b"}'],
  ["an escaped key", '{"deci\\u0073ion":"allow","reason":"r"}'],
  ["a raw newline in the reason", '{"decision":"allow","reason":"a\nb"}'],
  ["a trailing comma", '{"decision":"allow","reason":"r",}'],
  ["a comment", '{"decision":"allow",/* */"reason":"r"}'],
  ["a thought before", `<think>hm</think>${ALLOW}`],
  ["121 characters", `{"decision":"allow","reason":"${"x".repeat(121)}"}`],
  ["an endless answer", `{"decision":"allow","reason":"${" ".repeat(5000)}"}`],
];

for (const [name, text] of REFUSED) {
  test(`anything else is no answer: ${name}`, () => {
    const read = readAnswer(text);
    assert.ok(!read.ok);
    assert.match(read.detail, /^the model's \w+ /);
  });
}

function completion(message: unknown, more: object = {}): unknown {
  return { choices: [{ index: 0, finish_reason: "stop", message, ...more }] };
}

test("the answer of a completion is read", () => {
  const read = readCompletion(completion({ role: "assistant", content: ALLOW, refusal: null }));
  assert.deepEqual(read, { ok: true, answer: { decision: "allow", reason: "fine" } });
});

test("no tool calls are no calls", () => {
  for (const none of [null, []]) {
    const message = { role: "assistant", content: ALLOW, tool_calls: none, function_call: null };
    assert.ok(readCompletion(completion(message)).ok);
  }
});

const NONE: readonly (readonly [name: string, body: unknown])[] = [
  ["null", null],
  ["undefined", undefined],
  ["HTML", "<html></html>"],
  ["no choices", {}],
  ["choices of another type", { choices: { 0: {} } }],
  ["no choice", { choices: [] }],
  ["two choices", { choices: [{ message: { content: ALLOW } }, { message: { content: ALLOW } }] }],
  ["no message", { choices: [{ text: ALLOW }] }],
  ["a refusal", completion({ content: ALLOW, refusal: "I cannot help with that" })],
  ["a refusal that is an object", completion({ content: ALLOW, refusal: { reason: "no" } })],
  ["a refusal that is true", completion({ content: ALLOW, refusal: true })],
  ["an error beside the answer", {
    ...(completion({ content: ALLOW }) as object),
    error: { code: 500 },
  }],
  ["an error in the choice", completion({ content: ALLOW }, { error: "upstream" })],
  ["an error in the message", completion({ content: ALLOW, error: { message: "cut" } })],
  ["an end by an error", completion({ content: ALLOW }, { finish_reason: "error" })],
  ["an end of another type", completion({ content: ALLOW }, { finish_reason: ["stop"] })],
  ["a call of a tool", completion({ content: null, tool_calls: [{}] })],
  ["text beside a call of a tool", completion({ content: ALLOW, tool_calls: [{ id: "1" }] })],
  ["tool calls that are no list", completion({ content: ALLOW, tool_calls: {} })],
  ["a call of a function", completion({ content: ALLOW, function_call: { name: "f" } })],
  ["tools that are no list", completion({ content: ALLOW, tool_calls: "" })],
  ["tools that are a table", completion({ content: ALLOW, tool_calls: { length: 0 } })],
  ["an end by tools", completion({ content: ALLOW }, { finish_reason: "tool_calls" })],
  ["a message of the user", completion({ role: "user", content: ALLOW })],
  ["a message of nobody", completion({ role: 1, content: ALLOW })],
  ["text in parts", completion({ content: [{ type: "text", text: ALLOW }] })],
  ["cut at the limit", completion({ content: ALLOW }, { finish_reason: "length" })],
  ["a filter", completion({ content: ALLOW }, { finish_reason: "content_filter" })],
];

for (const [name, body] of NONE) {
  test(`what is no completion with one answer is none: ${name}`, () => {
    assert.ok(!readCompletion(body).ok);
  });
}

test("nothing is read as allow but an object that says just that", () => {
  const pieces = fc.constantFrom(
    "{",
    "}",
    '"decision"',
    '"verdict"',
    '"reason"',
    ":",
    ",",
    '"allow"',
    '"soft_deny"',
    '"r"',
    " ",
    "```",
    "json",
    "\n",
    "allow",
    "\\",
    '"',
  );
  const answer = fc.tuple(
    fc.constantFrom("", "```json\n", "```", " "),
    fc.constantFrom('"decision"', '"verdict"', '"reason"'),
    fc.constantFrom('"allow"', '"soft_deny"', '"hard_deny"', '"Allow"', "allow"),
    fc.constantFrom(
      ',"reason":"r"',
      ',"reason":"r","reason":"s"',
      ',"decision":"allow"',
      "",
      ',"x":1',
    ),
    fc.constantFrom("", "```", "\n```", " "),
  ).map(([begin, key, value, rest, end]) => `${begin}{${key}:${value}${rest}}${end}`);
  let [read, allowed] = [0, 0];
  fc.assert(
    fc.property(
      fc.oneof(answer, fc.array(pieces, { maxLength: 14 }).map((it) => it.join(""))),
      (text) => {
        const result = readAnswer(text);
        if (!result.ok) return;
        read++;
        const json = JSON.parse(text.replace(/^\s*```(?:json)?|```\s*$/g, ""));
        assert.equal(json.decision ?? json.verdict, result.answer.decision);
        assert.equal(Object.keys(json).length, 2);
        if (result.answer.decision === "allow") allowed++;
      },
    ),
    { numRuns: 5000 },
  );
  assert.ok(read > enough(100) && allowed > enough(30), `${read} read, ${allowed} allowed`);
});
