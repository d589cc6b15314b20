import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import type { AskAnswer, AskQuestion } from "../../../lib/model/verdict.ts";
import {
  afterKey,
  DENIED,
  initialPrompt,
  type PromptState,
} from "../../../lib/prompt/prompt_state.ts";
import { type Key, readKeys } from "../../../lib/prompt/keys.ts";
import { questionOf } from "./questions.ts";

const PUSH = questionOf("git push", { suggestion: "Bash(git push:*)" });

/** Only patterns with a colon are patterns here. */
function check(pattern: string): string | undefined {
  return pattern.includes(":") ? undefined : `no colon in ${pattern}`;
}

function after(question: AskQuestion, keys: readonly Key[]): PromptState {
  return keys.reduce(
    (asking, key) => afterKey(asking, key, { question, check }),
    initialPrompt(question),
  );
}

/** The state after keys that are typed one by one. The keys between braces come in one piece. */
function typed(question: AskQuestion, text: string): PromptState {
  // deno-lint-ignore no-control-regex
  const pieces = text.match(/\{[^}]*\}|\x1b\[.|[^]/gu) ?? [];
  return after(question, pieces.flatMap((piece) => readKeys(piece.replace(/^\{|\}$/g, "")).keys));
}

const READ = questionOf("cat a", {
  suggestion: "Bash(cat:*)",
  classRule: { pattern: "Bash(@read)", also: ["ls -la", "pwd"] },
});

const CLASS_KEPT = {
  kind: "allow-always",
  pattern: "Bash(@read)",
  patterns: ["Bash(@read)"],
} as const;

const UP = "\x1b[A";
const DOWN = "\x1b[B";

const ANSWERS: readonly (readonly [keys: string, answer: AskAnswer, question?: AskQuestion])[] = [
  ["y", { kind: "allow-once" }],
  // A class stands last, is never selected, and is kept for the session unless another scope is chosen.
  ["c\r\r", { ...CLASS_KEPT, scope: "session" }, READ],
  ["5\r\r", { ...CLASS_KEPT, scope: "session" }, READ],
  ["c2\r", { ...CLASS_KEPT, scope: "project" }, READ],
  ["\r\r", { kind: "deny-once" }, READ],
  ["3\r", { kind: "deny-once" }, READ],
  ["c\x03", { kind: "deny-once" }, READ],
  ["cy", { kind: "allow-once" }],
  ["Y", { kind: "allow-once" }],
  ["1", { kind: "allow-once" }],
  [`${UP}${UP}\r`, { kind: "allow-once" }],
  [`${DOWN}${DOWN}\r`, { kind: "allow-once" }],
  ["\r\r", { kind: "deny-once" }],
  ["n\r", { kind: "deny-once" }],
  ["nask first\r", { kind: "deny-once", comment: "ask first" }],
  ["\x03", { kind: "deny-once" }],
  ["\x04", { kind: "deny-once" }],
  ["a\x03", { kind: "deny-once" }],
  [
    "a\r\r\r",
    {
      kind: "allow-always",
      pattern: "Bash(git push:*)",
      patterns: ["Bash(git push:*)"],
      scope: "session",
    },
  ],
  [
    `d{\x15Bash:git push --force *}\r2why not\r`,
    {
      kind: "deny-always",
      pattern: "Bash:git push --force *",
      patterns: ["Bash:git push --force *"],
      scope: "project",
      comment: "why not",
    },
  ],
  [
    `a\x15\r{Bash}\r{:x}\r${DOWN}${DOWN}\r\r`,
    { kind: "allow-always", pattern: "Bash:x", patterns: ["Bash:x"], scope: "user" },
  ],
  [
    "a\r\r",
    { kind: "allow-always", pattern: "B:a", patterns: ["B:a"], scope: "local" },
    questionOf("a", { suggestion: "B:a", scopes: ["local"] }),
  ],
  [
    "a\r\x15\r\r\r\r\r",
    { kind: "allow-always", pattern: "B:a", patterns: ["B:a", "B:c"], scope: "session" },
    questionOf("a; b; c; a", { suggestions: ["B:a", "B:b", "B:c", "B:a"] }),
  ],
];

for (const [keys, answer, question = PUSH] of ANSWERS) {
  test(`${JSON.stringify(keys)} is answered with ${JSON.stringify(answer)}`, () => {
    assert.deepEqual(typed(question, keys), { step: "answered", answer });
  });
}

/** Keys that give no answer yet, with the step that they lead to. */
const OPEN:
  readonly (readonly [keys: string, step: PromptState["step"], question?: AskQuestion])[] = [
    ["", "choose"],
    ["{yes}", "choose"],
    ["{yy}", "choose"],
    ["{\x1b[200~y\x1b[201~}", "choose"],
    ["9", "choose"],
    ["x", "choose"],
    ["a", "pattern"],
    ["a\x15\r", "pattern"],
    ["a{\x15nothing}\r", "pattern"],
    ["a\r", "scope"],
    ["a\r4", "scope"],
    ["a\r1", "comment"],
    ["a", "choose", questionOf("git push", { scopes: [] })],
  ];

for (const [keys, step, question = PUSH] of OPEN) {
  test(`${JSON.stringify(keys)} is no answer yet: ${step}`, () => {
    assert.equal(typed(question, keys).step, step);
  });
}

test("a pattern that is none is told, until it is changed", () => {
  const asking = typed(PUSH, "a{\x15nothing}\r");
  assert.ok(asking.step === "pattern");
  assert.equal(asking.problem, "no colon in nothing");
  const changed = afterKey(asking, { kind: "backspace" }, { question: PUSH, check });
  assert.ok(changed.step === "pattern" && !("problem" in changed));
});

const key: fc.Arbitrary<Key> = fc.oneof(
  fc.constantFrom<Key>(
    { kind: "enter" },
    { kind: "up" },
    { kind: "down" },
    { kind: "erase-line" },
    { kind: "backspace" },
    { kind: "other" },
  ),
  fc.constantFrom("y", "a", "n", "d", "1", "2", "x:y", "xy").map((text): Key => ({
    kind: "text",
    text,
  })),
  fc.constantFrom("y", "a\r\r").map((text): Key => ({ kind: "paste", text })),
);
const question = fc.record({
  suggestions: fc.array(fc.constantFrom("B:a", "B:b", "", "bad"), { maxLength: 3 }),
  scopes: fc.subarray(["session", "project", "user", "local"] as const),
}).map((more) => questionOf("git push", more));

test("Escape denies once at every step, and an answer is never changed", () => {
  fc.assert(fc.property(question, fc.array(key, { maxLength: 15 }), (question, keys) => {
    const asking = after(question, keys);
    const next = afterKey(asking, { kind: "escape" }, { question, check });
    const expected = asking.step === "answered" ? asking.answer : DENIED;
    assert.deepEqual(next, { step: "answered", answer: expected });
  }));
});

test("an allow was typed: by its letter or number, or by Enter where the cursor had been moved to it", () => {
  fc.assert(
    fc.property(question, fc.array(key, { maxLength: 15 }), (question, keys) => {
      const asking = after(question, keys);
      if (asking.step !== "answered" || !asking.answer.kind.startsWith("allow")) return;
      const letter = keys.some((key) => key.kind === "text" && /^[ya12]$/.test(key.text));
      const arrows = keys.some(({ kind }) => kind === "up" || kind === "down");
      assert.ok(letter || arrows, JSON.stringify(keys));
    }),
    { numRuns: 500 },
  );
});

test("“always” has patterns that were checked, and a scope of the question", () => {
  fc.assert(
    fc.property(question, fc.array(key, { maxLength: 15 }), (question, keys) => {
      const asking = after(question, [{ kind: "text", text: "a" }, ...keys]);
      if (asking.step !== "answered") return;
      const { kind, pattern, patterns = [], scope } = asking.answer;
      const isAlways = kind.endsWith("always");
      assert.equal(patterns.length > 0, isAlways);
      assert.equal(pattern, patterns[0]);
      assert.ok(patterns.every((each) => check(each) === undefined));
      assert.ok(isAlways ? question.scopes.includes(scope!) : scope === undefined);
    }),
    { numRuns: 500 },
  );
});
