import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import { commandLine, shellQuoted } from "../../../lib/text/quote.ts";
import { shellWords } from "../../support/spec_words.ts";

test("only what a shell would read otherwise is quoted", () => {
  assert.equal(shellQuoted("a/b.c=d:e-f"), "a/b.c=d:e-f");
  assert.equal(shellQuoted("git push"), "'git push'");
  assert.equal(shellQuoted("it's"), "'it'\\''s'");
  assert.equal(shellQuoted(""), "''");
  assert.equal(shellQuoted("*"), "'*'");
  assert.equal(shellQuoted("~"), "'~'");
});

test("a shell reads a command line back as its words", () => {
  fc.assert(fc.property(fc.array(fc.string()), (words) => {
    assert.deepEqual(shellWords(commandLine(words), new Map()), words);
  }));
});
