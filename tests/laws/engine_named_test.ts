import assert from "node:assert/strict";
import { test } from "node:test";
import tools from "../../defaults/tools.json" with { type: "json" };
import { answerEvent } from "../../lib/agents/hook/answer_event.ts";
import { eventOfCall } from "../../lib/agents/hook/map_call.ts";
import { decide } from "../../lib/decide/decide.ts";
import { evaluateCall } from "../../lib/decide/evaluate.ts";
import { defaultMode } from "../../lib/decide/modes.ts";
import { openPolicyOf } from "../../lib/decide/policy.ts";
import { createGate } from "../../lib/gate/create_gate.ts";
import type { Json, JsonObject } from "../../lib/model/call.ts";
import { policyOf, type TestRule } from "../support/policy.ts";
import fc from "../support/seeded.ts";

const { keys } = tools;

const policy = policyOf(
  [
    ["deny", "Read:**/.env"],
    ["deny", "Write:/etc/**"],
    ["deny", "WebFetch:domain:evil.example"],
    ["deny", "Bash:rm *"],
    ["allow", "*"],
  ].map(([action, pattern]) => ({ action, pattern }) as TestRule),
);

/** Spellings of what the rules deny, by the words of the keys under which they are looked for. */
const DENIED = [
  {
    words: [...keys.files, ...keys.may_files, ...keys.urls],
    texts: [".env", "./.env", "a/../.env", "/x/.env", "file:///x/.env", "/etc/x", "/tmp/../etc/x"],
  },
  {
    words: [...keys.urls, ...keys.may_urls, ...keys.files],
    texts: [
      "https://evil.example",
      "HTTPS://EVIL.example/x",
      "http://a.evil.example:8/",
      "wss://evil.example/",
    ],
  },
  { words: [...keys.urls, ...keys.may_urls], texts: ["evil.example/x", "//evil.example"] },
  {
    words: [...keys.commands, ...keys.may_commands],
    texts: ["rm x", "ls; rm x", "sudo rm -rf x", "(cd a && /bin/rm x)", "cat .env", "ls > /etc/x"],
  },
] as const;

const STYLES: readonly ((words: readonly string[]) => string)[] = [
  (words) => words.map((word, at) => at === 0 ? word : capital(word)).join(""),
  (words) => words.map(capital).join(""),
  (words) => words.join("_"),
  (words) => words.join("-"),
  (words) => words.join(".").toUpperCase(),
];

function capital(word: string): string {
  return word[0]!.toUpperCase() + word.slice(1);
}

const anyDenied = fc.constantFrom(...DENIED).chain(({ words, texts }) =>
  fc.record({
    word: fc.constantFrom(...words),
    beside: fc.constantFrom([], ["my"], ["new", "x"]),
    isLast: fc.boolean(),
    style: fc.constantFrom(...STYLES),
    text: fc.constantFrom(...texts),
  })
).map(({ word, beside, isLast, style, text }) => ({
  key: style(isLast ? [...beside, word] : [word, ...beside]),
  text,
}));

/** Objects and arrays around a value, and harmless members beside it. */
const anyWrapping = fc.array(fc.constantFrom("list", "a", "items", "x"), { maxLength: 3 });

function wrapped(value: Json, levels: readonly string[]): JsonObject {
  return levels.reduce<Json>(
    (inner, level) => level === "list" ? { n: 1, b: [true, inner] } : { [level]: inner, c: "d" },
    value,
  ) as JsonObject;
}

const anyName = fc.oneof(
  fc.constantFrom("mcp__fs__read", "bash", "write_file", "Tool", "x"),
  fc.string({ minLength: 1, maxLength: 8 }).filter((name) => /^[\w-]+$/.test(name)),
);

test("what a rule denies is never allowed under a key that names it, in any tool and at any depth", async () => {
  await fc.assert(
    fc.asyncProperty(
      anyName,
      anyDenied,
      anyWrapping,
      fc.boolean(),
      async (tool, { key, text }, levels, inList) => {
        const value = { [key]: inList ? ["a", text] : text, note: "n" };
        const call = { tool, input: wrapped(value, levels) };
        const evaluation = evaluateCall(policy, call);
        assert.equal(evaluation.verdict.action, "deny");
        const { decision } = decide(policy, evaluation, { mode: defaultMode });
        const gated = await createGate({ policy: openPolicyOf(policy), now: () => 0 }).decide(call);
        const event = eventOfCall("claude", { ...call, name: "PreToolUse", folders: [] });
        const hooked = answerEvent(event, { policy, others: [], now: 0, mode: defaultMode });
        assert.deepEqual([decision, gated.decision, hooked.action], ["deny", "deny", "deny"]);
      },
    ),
    { numRuns: 2_000 },
  );
});

test("a tool whose name has an invisible character is never allowed, and denied as what it imitates", () => {
  const anyMark = fc.constantFrom(
    " ",
    "\t",
    "\0",
    "\u00a0",
    "\u200b",
    "\u2060",
    "\ufeff",
    "\u00ad",
    "\u202e",
    "\u{e0041}",
    "\ufe0f",
  );
  const anyCall = fc.constantFrom(
    ["Bash", { command: "rm x" }, "deny"] as const,
    ["Read", { path: ".env" }, "deny"] as const,
    ["Bash", { command: "ls" }, "ask"] as const,
    ["mcp__a__b", {}, "ask"] as const,
  );
  fc.assert(
    fc.property(anyCall, anyMark, fc.nat(20), ([tool, input, expected], mark, place) => {
      const at = mark === " " || mark === "\t"
        ? (place % 2) * tool.length
        : place % (tool.length + 1);
      const name = tool.slice(0, at) + mark + tool.slice(at);
      const { verdict } = evaluateCall(policy, { tool: name, input });
      assert.equal(verdict.action, expected);
      if (expected === "ask") assert.equal(verdict.by, "safety");
    }),
    { numRuns: 1_000 },
  );
});
