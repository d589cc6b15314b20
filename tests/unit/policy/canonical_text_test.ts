import assert from "node:assert/strict";
import { test } from "node:test";
import { parsePattern } from "../../../lib/pattern/parse_pattern.ts";
import { canonicalText } from "../../../lib/pattern/print_pattern.ts";
import { toolProfiles } from "../../../lib/policy/compile/profiles.ts";

const profiles = toolProfiles(new Map([["Query", { firstArg: "sql", kind: "text" }]]));

/** Spellings of one pattern, the canonical one first; whether it takes the tool's profile to see that. */
const SPELLINGS: readonly (readonly [known: boolean, text: string, ...others: string[]])[] = [
  [false, "Bash:git *", "Bash(git *)"],
  [false, "Bash", "Bash:*", "Bash(*)"],
  [false, "Bash(git push:*)"],
  [false, "*:a", "*(a)"],
  [false, "*(a:*)"],
  [true, "Bash", "Bash:**"],
  [true, "Bash:git push", "Bash:git \\push", "Bash(git \\push)"],
  [true, "Query:a\\*", "Query(\\a\\*)"],
  [true, "WebFetch:domain:x.org", "WebFetch:domain:X.org"],
];

test("every spelling of a pattern has one canonical text, which parses to itself", () => {
  for (const [known, text, ...others] of SPELLINGS) {
    for (const each of [text, ...others]) {
      assert.equal(canonicalText(each, profiles), text, each);
      const pattern = parsePattern(each);
      assert.ok(pattern.ok);
      assert.equal(canonicalText(pattern.value, profiles), text, each);
      if (!known) assert.equal(canonicalText(each), text, each);
    }
  }
});

test("patterns that match different calls differ, and a text that is no pattern stays", () => {
  const texts = [
    "Bash:git *",
    "Bash(git:*)",
    "Bash:git",
    "Bash:~git",
    "Read:a",
    "Read:./a",
    "Read:/a",
  ];
  assert.equal(new Set(texts.map((each) => canonicalText(each, profiles))).size, texts.length);
  assert.equal(canonicalText("Bash(git", profiles), "Bash(git");
});
