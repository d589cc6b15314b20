import assert from "node:assert/strict";
import { test } from "node:test";
import { compileRegex } from "../../../../lib/gate/hooks/regex_matcher.ts";

const IDLE = [
  "Bash{",
  "a^Bash",
  "a$b",
  "a]",
  "a}",
  "\\a",
  "\\101",
  "Bash$.*",
  "x(^a)",
  "(a$)b",
  "(a$)+",
  "(a$|b)c",
  "x(a|^b)",
  "^*",
  "a{,2}",
];

for (const text of IDLE) {
  test(`an expression that would never match is refused: ${text}`, () => {
    assert.equal(compileRegex(text).ok, false);
  });
}

test(
  "a hundred thousand brackets that nothing closes are refused at once",
  { timeout: 5_000 },
  () => {
    assert.equal(compileRegex("[".repeat(100_000)).ok, false);
  },
);

const WORKING: readonly (readonly [text: string, name: string])[] = [
  ["^Bash$", "Bash"],
  ["^(?:Bash|Edit)$", "Edit"],
  ["(^Bash|^Edit)", "Edit"],
  ["Bash$|Edit$", "Bash"],
  ["(?i)bash", "BASH"],
  ["mcp__[a-z]{1,3}__.*", "mcp__abc__x"],
  ["[]a]+", "a]"],
  ["[{}^$]", "$"],
  ["a\\.b\\$", "a.b$"],
  ["[[:alpha:]]+", "ab"],
  ["\\p{L}+", "é"],
  ["\\x{42}ash", "Bash"],
  ["((a))$", "a"],
];

for (const [text, name] of WORKING) {
  test(`${text} matches ${name}`, () => {
    const result = compileRegex(text);
    assert.ok(result.ok, JSON.stringify(result));
    assert.equal(result.fits(name), true);
  });
}
