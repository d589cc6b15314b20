import assert from "node:assert/strict";
import { test } from "node:test";
import { knownWord } from "../../../lib/shell/parse/known_words.ts";
import { plainLine } from "../../../lib/shell/parse/plain_line.ts";

/** The characters of ASCII, but the blank, for which a line is read in the quick way. */
function plainIn(lineOf: (char: string) => string): string {
  return Array.from({ length: 128 }, (_char, code) => String.fromCharCode(code))
    .filter((char) => char !== " " && isPlain(lineOf(char))).join("");
}

function isPlain(line: string): boolean {
  return plainLine(line, { shell: "posix", printedKind: () => undefined }) !== undefined;
}

const WORD = "%+,-./0123456789:@ABCDEFGHIJKLMNOPQRSTUVWXYZ^_abcdefghijklmnopqrstuvwxyz";
const PRINTED = Array.from({ length: 94 }, (_char, at) => String.fromCharCode(at + 33)).join("");

test("the quick way reads every character that is text to all shells, in its place of a word and its quotes, and no other", () => {
  const sorted = (chars: string) => [...chars].toSorted().join("");
  assert.equal(plainIn((char) => `${char}b`), WORD);
  assert.equal(plainIn((char) => `a b${char}c`), sorted(`${WORD}=~`));
  assert.equal(plainIn((char) => `a 'b${char}c'`), PRINTED.replace("'", ""));
  // A variable in double quotes is read as such.
  assert.equal(plainIn((char) => `a "b${char}c"`), PRINTED.replace(/["\\`]/g, ""));
  assert.equal(plainIn((char) => `a "$b.${char}c"`), PRINTED.replace(/["\\`]/g, ""));
});

test("a bracket in quotes is text unless a shell reads what follows in its own way", () => {
  for (const quote of ["'", '"']) {
    const line = (char: string) => `a ${quote}[${char}b${quote}`;
    const own = plainIn(line);
    const others = plainIn((char) => `a ${quote}b${char}c${quote}`);
    assert.equal(own, others.replace(/[![^]/g, ""));
  }
});

/** The word of a whole text, `hash` as given. */
function wordIn(text: string, hash: number, end: number = text.length) {
  return knownWord(text, { start: 0, end, hash });
}

test("a word that came twice is one object from then on, and never that of another text", () => {
  // A process keeps no word before some have come.
  for (let count = 0; count < 100; count++) wordIn("first", 1);
  const words = ["status", "--short", "a"];
  for (const [hash, text] of words.entries()) {
    const [first, second, third] = [1, 2, 3].map(() => wordIn(text, 1_000 + hash));
    assert.deepEqual(first, { raw: text, text, shape: text, splits: false });
    assert.notEqual(second, first);
    assert.equal(third, second);
    assert.deepEqual(second, first);
    for (const other of [`${text}s`, text.replace(/.$/, "."), ""]) {
      for (let count = 0; count < 3; count++) assert.equal(wordIn(other, 1_000 + hash).raw, other);
    }
  }
});

test("long words, and words of long lines, are made anew each time", () => {
  for (let count = 0; count < 100; count++) wordIn("first", 1);
  const isKept = (text: string, hash: number, end?: number) => {
    const [, second, third] = [1, 2, 3].map(() => wordIn(text, hash, end));
    return third === second;
  };
  assert.ok(isKept("a".repeat(32), 2_001));
  assert.ok(!isKept("a".repeat(33), 2_002));
  assert.ok(isKept("b".repeat(512), 2_003, 1));
  assert.ok(!isKept("b".repeat(513), 2_004, 1));
});
