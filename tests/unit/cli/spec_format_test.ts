import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { parseSpec, renderSpec } from "../../support/spec.ts";
import { shellWords } from "../../support/spec_words.ts";

const VARIABLES = new Map([["$DIR", "/d"]]);

test("a spec is rendered as it was parsed, whatever its sections hold", () => {
  const line = fc.oneof(fc.string(), fc.constantFrom("--- run", "\\", "\\ no newline", "", "---"));
  const body = fc.array(line.filter((text) => !text.includes("\n")))
    .chain((lines) => fc.constantFrom(lines.join("\n"), lines.map((text) => `${text}\n`).join("")));
  fc.assert(fc.property(body, (text) => {
    const sections = [{ name: "file", argument: "a b.toml", body: text }, {
      name: "stdout",
      argument: "",
      body: "x\n",
    }] as const;
    assert.deepEqual(
      parseSpec(renderSpec({ head: "# h\n", trust: "given", sections })).sections,
      sections,
    );
  }));
});

test("a spec whose head says so is untrusted", () => {
  assert.equal(parseSpec("# untrusted\n# why\n--- run\ncaliban\n").trust, "none");
  assert.equal(parseSpec("# why it is untrusted\n--- run\ncaliban\n").trust, "given");
});

test("what is not in the format is refused", () => {
  assert.throws(() => parseSpec("--- run\ncaliban"), /ends in a newline/);
  assert.throws(() => parseSpec("text\n--- run\n"), /Unexpected line/);
  assert.throws(() => parseSpec("--- runn\n"), /Unknown section/);
  assert.throws(() => parseSpec("--- file\n"), /Unknown section/);
  assert.throws(() => parseSpec("--- run: x\n"), /Unknown section/);
});

test("words are split as a shell splits them", () => {
  const words = (line: string) => shellWords(line, VARIABLES);
  assert.deepEqual(words(`a 'b c' "d \\"e\\" $DIR" f\\ g h'i'"j" ''`), [
    "a",
    "b c",
    'd "e" /d',
    "f g",
    "hij",
    "",
  ]);
  assert.deepEqual(words("$DIR/x '$DIR' $'a\\n\\x1b\\u202e\\''"), [
    "/d/x",
    "$DIR",
    "a\n\x1b\u202e'",
  ]);
  assert.deepEqual(words(" \n "), []);
  assert.throws(() => words("'open"), /Cannot split/);
  assert.throws(() => words("$'\\q'"), /Unknown escape/);
});
