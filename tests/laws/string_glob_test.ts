import assert from "node:assert/strict";
import { test } from "node:test";
import { matchGlob, parseGlob, printGlob } from "../../lib/pattern/glob.ts";
import { cases, enough } from "../support/cases.ts";
import { randomFrom } from "../support/random.ts";
import { referenceMatch } from "../support/reference_glob.ts";

// The two smileys share their first surrogate, the smiley and the cat do not share the second.
const CHARS = ["a", "b", "/", "\n", "😀", "😁", "é"];
const GLOB = [...CHARS, "*", "*", "?", "\\*", "\\?", "\\\\", "\\a"];
const TEXT = [...CHARS, "a", "a", "*", "?", "\\"];

function glob(text: string) {
  const parsed = parseGlob(text);
  assert.ok(parsed.ok, `${JSON.stringify(text)} is a glob`);
  return parsed.value;
}

test("string globs fit exactly what the reference matcher says, on 120,000 random pairs", () => {
  const random = randomFrom(1);
  let fitting = 0;
  for (let round = 0; round < cases(120_000); round++) {
    const pattern = random.text(GLOB, 7);
    const text = random.text(TEXT, 8);
    const wanted = referenceMatch(pattern, text);
    if (wanted) fitting++;
    assert.equal(matchGlob(glob(pattern), text), wanted, JSON.stringify({ pattern, text }));
  }
  assert.ok(fitting > enough(5_000), `only ${fitting} pairs fit, so the law was hardly tried`);
});

test("string globs that are made to fit, do: wildcards put in place of what they stand for", () => {
  const random = randomFrom(2);
  for (let round = 0; round < cases(30_000); round++) {
    const chars = [...random.text(TEXT, 12)];
    const pattern = chars.map((char) =>
      random.pick([printGlob([{ kind: "text", text: char }]), "?", "*", "*?"])
    ).join(random.pick(["", "*"]));
    assert.ok(matchGlob(glob(pattern), chars.join("")), JSON.stringify({ pattern, chars }));
  }
});

test("parse and print give the same glob again, and print and parse the same text from then on", () => {
  const random = randomFrom(3);
  for (let round = 0; round < cases(30_000); round++) {
    const tree = glob(random.text(GLOB, 10));
    const printed = printGlob(tree);
    assert.deepEqual(glob(printed), tree);
    assert.equal(printGlob(glob(printed)), printed);
  }
});

test("a glob that is made of any text fits that text and no other", () => {
  const random = randomFrom(4);
  for (let round = 0; round < cases(30_000); round++) {
    const [text, other] = [random.text(TEXT, 8), random.text(TEXT, 8)];
    const tree = glob(printGlob(text === "" ? [] : [{ kind: "text", text }]));
    assert.ok(matchGlob(tree, text));
    assert.equal(matchGlob(tree, other), text === other);
  }
});

test("a lone backslash at the end is the only text that is no glob", () => {
  const random = randomFrom(5);
  for (let round = 0; round < cases(30_000); round++) {
    const text = random.text([...TEXT, "\\"], 8);
    const slashes = /\\*$/.exec(text)![0].length;
    assert.equal(parseGlob(text).ok, slashes % 2 === 0, JSON.stringify(text));
  }
});
