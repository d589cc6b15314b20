import assert from "node:assert/strict";
import { test } from "node:test";
import "../../../lib/shell/parse/loaded_parser.ts";
import { insertRule, removeRules } from "../../../lib/policy/edit/edit_rules.ts";

const NEW = { pattern: "Bash:git *", action: "allow" } as const;
const BLOCK = '[[permissions.rules]]\npattern = "Bash:git *"\naction = "allow"\n';
const A = '[[permissions.rules]]\npattern = "A"\naction = "ask"\n';
const B = '[[permissions.rules]]\npattern = "B"\naction = "deny"\n';
const SCHEMA = "#:schema ./permissions.schema.json\n";

function inserted(text: string, before?: number): string {
  const result = insertRule(text, NEW, { before });
  assert.ok(result.ok, result.ok ? "" : result.problem.message);
  return result.text;
}

function removed(text: string, ...indexes: readonly number[]): string {
  const result = removeRules(text, indexes);
  assert.ok(result.ok, result.ok ? "" : result.problem.message);
  return result.text;
}

const INSERTED: readonly (readonly [string, string, number | undefined, string])[] = [
  ["a new file gets a schema line", "", undefined, `${SCHEMA}\n${BLOCK}`],
  ["so does one of blank lines", "\n", 0, `${SCHEMA}\n${BLOCK}\n`],
  ["at the end", `${A}\n${B}`, undefined, `${A}\n${B}\n${BLOCK}`],
  ["before a table that is no rule", `${A}\n[tools.x]\n`, undefined, `${A}\n${BLOCK}\n[tools.x]\n`],
  ["above a rule with its comment", `# head\n\n# a\n${A}`, 0, `# head\n\n${BLOCK}\n# a\n${A}`],
  ["below a schema line", `${SCHEMA}${A}`, 0, `${SCHEMA}${BLOCK}${A}`],
  ["between tables without blank lines", A + B, 1, A + BLOCK + B],
  ["behind a remark on the last rule", `${A}# on A\n`, undefined, `${A}# on A\n\n${BLOCK}`],
  [
    "behind settings",
    "[permissions]\nenforce = true",
    undefined,
    `[permissions]\nenforce = true\n\n${BLOCK}`.trimEnd(),
  ],
  ["before blank lines at the end", `${A}\n\n`, undefined, `${A}\n${BLOCK}\n\n`],
  ["as Windows ends lines", "# x\r\n", undefined, `# x\r\n\r\n${BLOCK.replaceAll("\n", "\r\n")}`],
  [
    "into an empty array",
    "[permissions]\nrules = []\n",
    undefined,
    '[permissions]\nrules = [{ pattern = "Bash:git *", action = "allow" }]\n',
  ],
  [
    "into an array on one line",
    'permissions = { rules = [{ pattern = "A", action = "ask" }] }\n',
    undefined,
    'permissions = { rules = [{ pattern = "A", action = "ask" }, { pattern = "Bash:git *", action = "allow" }] }\n',
  ],
  [
    "into an array of lines",
    '[permissions]\nrules = [\n  # a\n  { pattern = "A", action = "ask" } # A\n]\n',
    undefined,
    '[permissions]\nrules = [\n  # a\n  { pattern = "A", action = "ask" }, # A\n  { pattern = "Bash:git *", action = "allow" }\n]\n',
  ],
  [
    "at the top of an array of lines",
    '[permissions]\nrules = [\n  # a\n  { pattern = "A", action = "ask" },\n]\n',
    0,
    '[permissions]\nrules = [\n  { pattern = "Bash:git *", action = "allow" },\n  # a\n  { pattern = "A", action = "ask" },\n]\n',
  ],
];

for (const [name, text, before, expected] of INSERTED) {
  test(`insertRule writes: ${name}`, () => assert.equal(inserted(text, before), expected));
}

const REMOVED: readonly (readonly [string, string, readonly number[], string])[] = [
  ["the only rule", A, [0], ""],
  ["with the comments above it", `# head\n\n# a\n# b\n${A}`, [0], "# head\n"],
  ["not a schema line", SCHEMA + A, [0], SCHEMA],
  ["not what stands below it", `${A}# below\n\n# b\n${B}`, [0], `# below\n\n# b\n${B}`],
  ["the comment behind it", `${A.trimEnd()} # x\n\n${B}`, [0], B],
  ["one of three", `${A}\n${B}\n${A}`, [1], `${A}\n${A}`],
  ["two neighbours", `${A}\n${B}\n${B}\n${A}`, [2, 1], `${A}\n${A}`],
  ["all", `# head\n\n${A}\n${B}\n[tools.x]\n`, [0, 1], "# head\n\n[tools.x]\n"],
  [
    "the last of an array",
    '[permissions]\nrules = [{ pattern = "A", action = "ask" }, { pattern = "B", action = "ask" }]\n',
    [1],
    '[permissions]\nrules = [{ pattern = "A", action = "ask" }]\n',
  ],
  [
    "lines of an array",
    '[permissions]\nrules = [\n  # a\n  { pattern = "A", action = "ask" }, # A\n  # b\n  { pattern = "B", action = "ask" } # B\n]\n',
    [0],
    '[permissions]\nrules = [\n  # b\n  { pattern = "B", action = "ask" } # B\n]\n',
  ],
];

for (const [name, text, indexes, expected] of REMOVED) {
  test(`removeRules takes out: ${name}`, () => assert.equal(removed(text, ...indexes), expected));
}

test("strings are written so that nothing in them ends the string or hides", () => {
  const rule = {
    pattern: 'Bash:echo "\\n"',
    action: "deny",
    comment: 'it\'s "a"\nb\u202e',
    reason: "",
    expiresAt: "2027-01-01T00:00:00Z",
  } as const;
  const result = insertRule(SCHEMA, rule, { before: undefined });
  assert.ok(result.ok);
  assert.equal(
    result.text,
    `${SCHEMA}\n[[permissions.rules]]\npattern = 'Bash:echo "\\n"'\naction = "deny"\n` +
      'comment = "it\'s \\"a\\"\\nb\\u202E"\nreason = ""\nexpires_at = "2027-01-01T00:00:00Z"\n',
  );
});

const OLDER = /older format.*convert it with "caliban perms export FILE --format toml" first/;

const REFUSED: readonly (readonly [string, string, RegExp])[] = [
  ["lists", '[permissions]\nallow = ["Read"]\n', OLDER],
  ["an empty list", "[permissions]\ndeny = []\n", OLDER],
  ["[[rule]] tables", '[[rule]]\ntool = "Read"\naction = "ask"\n', OLDER],
  [
    "an inline table",
    'permissions = { shell = "parsed" }\n',
    /"permissions = \{…\}" cannot be extended/,
  ],
  ["a file with a problem", `${A}colour = "red"\n`, /Cannot read key "colour"/],
  ["what is not TOML", "[[permissions.rules\n", /Cannot read the file as TOML/],
];

for (const [name, text, message] of REFUSED) {
  test(`insertRule refuses ${name}`, () => {
    const result = insertRule(text, NEW, { before: undefined });
    assert.ok(!result.ok);
    assert.match(result.problem.message, message);
    assert.equal(result.about, text);
  });
}

test("a rule that the file could not have is refused before anything is written", () => {
  const rules = [
    [{ ...NEW, reason: "x" }, "misplaced-reason"],
    [{ ...NEW, expiresAt: "tomorrow" }, "invalid-date"],
    [{ ...NEW, comment: "\ud800" }, "toml-syntax"],
    [{ ...NEW, comment: "x".repeat(100_000) }, "too-large"],
  ] as const;
  for (const [rule, id] of rules) {
    const result = insertRule(A, rule, { before: undefined });
    assert.ok(!result.ok);
    assert.equal(result.problem.id, id);
    assert.ok(result.about.startsWith('[[permissions.rules]]\npattern = "Bash:git *"'));
  }
});

test("an index that no rule has is wrong use", () => {
  assert.throws(() => insertRule(A, NEW, { before: 2 }), RangeError);
  assert.throws(() => insertRule(A, NEW, { before: -1 }), RangeError);
  assert.throws(() => removeRules(A, [1]), RangeError);
  assert.throws(() => removeRules("", [0]), RangeError);
});
