import assert from "node:assert/strict";
import { test } from "node:test";
import { alternates, requiredText } from "../../../../lib/agents/convert/regex_text.ts";

/** An expression, the text that all its matches have, and some of them. */
const CASES: readonly (readonly [string, string | undefined, ...string[]])[] = [
  ["rm\\s+-rf\\s+(/|~)", "-rf", "rm  -rf /"],
  ["sudo\\s", "sudo", "x sudo y"],
  ["\\.env", ".env", "a/.env.local"],
  ["secrets?/", "secret", "a/secret/x", "secrets/"],
  ["\\bgit push\\b", "git push", "git push x"],
  ["\\.(pem|key)$", undefined, "a.pem"],
  ["ab{0,3}cd", "cd", "acd", "abcd"],
  ["a*b?c", undefined, "c"],
  ["foo|bar", undefined, "bar"],
  ["\\x41bcd", undefined, "Abcd"],
  ["\\p{L}abc", undefined],
  ["(?i)secret", undefined, "SECRET"],
  ["[ab]xyz(q|r)", "xyz", "axyzq"],
  ["[\\]]long", "long", "]long"],
  ["(a|(b|c))end", "end", "bend"],
  ["", undefined, "x"],
];

test("a text is required only where every match has it", () => {
  for (const [source, text, ...matches] of CASES) {
    assert.equal(requiredText(source), text, source);
    for (const match of matches) if (text !== undefined) assert.ok(match.includes(text), match);
  }
});

test("an alternative outside of groups is seen", () => {
  assert.ok(alternates("^a|b") && alternates("(a)|b") && alternates("[|]|b"));
  assert.ok(!alternates("^(a|b)") && !alternates("[|]") && !alternates("a\\|b"));
});
