import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { abandonedKeys, type Key, readKeys } from "../../../lib/prompt/keys.ts";

const CASES: readonly (readonly [typed: string, keys: readonly string[], rest?: string])[] = [
  ["y", ["y"]],
  ["yé漢👍", ["yé漢👍"]],
  ["\r\n", ["enter", "enter"]],
  ["\x03\x04\x7f\b", ["interrupt", "end-of-input", "backspace", "backspace"]],
  ["\x1b[A\x1b[B\x1bOC\x1b[1;5D", ["up", "down", "right", "left"]],
  ["\x1b[H\x1b[4~\x1b[3~", ["home", "end", "delete"]],
  ["\x1b[5~\x1b[200m\x00", ["other", "other", "other"]],
  ["\x1b[200~a\r\x1b[A\x1b[201~b", ["paste a\r\x1b[A", "b"]],
  ["\x1b", [], "\x1b"],
  ["a\x1b[1;", ["a"], "\x1b[1;"],
  ["\x1b[200~a\r", [], "\x1b[200~a\r"],
  ["\x1b\x1b", ["escape"], "\x1b"],
  ["\x1by", ["escape"]],
  ["\x1b👍y", ["escape", "y"]],
  ["\x1b\r", ["escape"]],
];

function named(key: Key): string {
  if (key.kind === "text") return key.text;
  return key.kind === "paste" ? `paste ${key.text}` : key.kind;
}

for (const [typed, keys, rest = ""] of CASES) {
  test(`typed: ${JSON.stringify(typed)}`, () => {
    const read = readKeys(typed);
    assert.deepEqual(read.keys.map(named), keys);
    assert.equal(read.rest, rest);
  });
}

test("a beginning after which nothing comes is Escape", () => {
  assert.deepEqual(abandonedKeys("\x1b"), [{ kind: "escape" }]);
  assert.deepEqual(abandonedKeys("\x1b[200~allow"), [{ kind: "escape" }]);
  assert.deepEqual(abandonedKeys(""), []);
});

test("a paste without an end is not kept for ever", () => {
  const { keys, rest } = readKeys("\x1b[200~" + "y".repeat(1 << 17));
  assert.deepEqual([keys, rest], [[{ kind: "other" }], ""]);
});

const piece = fc.constantFrom(
  "y",
  "a",
  "\r",
  "\x1b",
  "\x1b[",
  "\x1b[A",
  "\x1b[200~",
  "\x1b[201~",
  "[",
  "~",
  "\x03",
  "é",
);
const typed = fc.array(piece, { maxLength: 12 }).map((pieces) => pieces.join(""));

test("keys are the same however they arrive, and what was pasted is never a key", () => {
  fc.assert(fc.property(typed, fc.nat(20), (typed, at) => {
    const first = readKeys(typed.slice(0, at));
    const second = readKeys(first.rest + typed.slice(at));
    const whole = readKeys(typed);
    const text = (keys: readonly Key[]) => keys.map(named).join("").replaceAll("paste ", "");
    assert.equal(second.rest, whole.rest);
    assert.equal(text([...first.keys, ...second.keys]), text(whole.keys));
  }));
});
