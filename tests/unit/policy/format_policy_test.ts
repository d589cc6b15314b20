import assert from "node:assert/strict";
import { test } from "node:test";
import presets from "../../../defaults/presets.json" with { type: "json" };
import { STARTER, STARTER_TESTS } from "../../../lib/cli/init/starter.ts";
import { formatPolicy } from "../../../lib/policy/edit/format_policy.ts";
import { ruleBlock } from "../../../lib/policy/edit/policy_pairs.ts";
import { readTestFile } from "../../../lib/suite/test_file.ts";

/** A text in canonical form. */
function formatted(text: string): string {
  const result = formatPolicy(text);
  assert.ok(result.ok, text);
  return result.text;
}

/** Texts and their canonical form. */
const FORMS: readonly (readonly [name: string, text: string, form: string])[] = [
  ["an empty file", "", ""],
  ["blank lines only", "\n\n  \n", ""],
  ["comments only", "\n  # a\n\n\n# b", "# a\n\n# b\n"],
  ["a missing last line end", "[permissions]\nenforce = true", "[permissions]\nenforce = true\n"],
  ["dotted keys", "permissions . enforce=true\n", "permissions.enforce = true\n"],
  [
    "lists by their length",
    `[permissions]\nallow = [${'"Bash(git status:*)", '.repeat(6)}]\ndeny=[\n\n"a",\n]\n`,
    `[permissions]\nallow = [\n${'  "Bash(git status:*)",\n'.repeat(6)}]\ndeny = ["a"]\n`,
  ],
  [
    "a comment right above a header, and one behind the last key",
    '[[rule]]\naction = "ask"\npattern = "x"\n# of the next\n[[rule]]\npattern = "y"\naction = "ask"\n\n# left\n# alone\n',
    '[[rule]]\npattern = "x"\naction = "ask"\n\n# of the next\n[[rule]]\npattern = "y"\naction = "ask"\n\n# left\n# alone\n',
  ],
  [
    "keys of a rule in any order",
    '[[permissions.rules]]\nreason = "no"\naction = "deny"\npattern = "x"\n',
    '[[permissions.rules]]\npattern = "x"\naction = "deny"\nreason = "no"\n',
  ],
  [
    "a comment in an inline table stays as it is",
    '[permissions]\nrules = [ { action = "ask", # one\n  pattern = "x" } ]\n',
    '[permissions]\nrules = [\n  { action = "ask", # one\n  pattern = "x" },\n]\n',
  ],
  [
    "a long string stays as it is",
    '[[rule]]\naction = "ask"\npattern = """\\\n    Bash(a  b)\\\n    """\n',
    '[[rule]]\npattern = """\\\n    Bash(a  b)\\\n    """\naction = "ask"\n',
  ],
  [
    "hidden characters are escaped",
    '[[rule]]\npattern = "a\u202eb"\naction = "ask"\n',
    '[[rule]]\npattern = "a\\u202Eb"\naction = "ask"\n',
  ],
];

for (const [name, text, form] of FORMS) {
  test(`${name}: one form, which stays`, () => {
    assert.equal(formatted(text), form);
    assert.equal(formatted(form), form);
  });
}

test("what caliban writes is in canonical form", () => {
  for (
    const { name, text, tests } of [
      { name: "", text: STARTER, tests: STARTER_TESTS },
      ...presets.presets,
    ]
  ) {
    assert.equal(formatted(text), text, name);
    const result = formatPolicy(tests, (each) => readTestFile(each, "a.perms.toml"));
    assert.ok(result.ok && result.text === tests, name);
  }
  const block = ruleBlock({ pattern: "Bash(ls)", action: "deny", comment: 'a "b"', reason: "c" });
  assert.equal(formatted(block), block);
});
