import assert from "node:assert/strict";
import { test } from "node:test";
import { decodePolicy } from "../../../lib/policy/decode/decode_policy.ts";

const HEAD = "[[permissions.rules]]";
const END = 'action = "allow"';

/** A mistake, the text with it, and what is said about it: `line:column detail | hint`. */
const MISTAKES: readonly (readonly [name: string, lines: readonly string[], said: string])[] = [
  [
    "a header lacks a bracket",
    ["[[permissions.rules]", 'pattern = "x"', END],
    "1:1 the brackets of the header do not match | Write [[permissions.rules]]",
  ],
  [
    "a header lacks both brackets",
    ["[[permissions.rules", 'pattern = "x"', END],
    "1:1 the brackets of the header do not match | Write [[permissions.rules]]",
  ],
  [
    "a header lacks its first bracket",
    [HEAD, 'pattern = "x"', END, "", "[permissions.rules]]"],
    "5:1 the brackets of the header do not match | Write [[permissions.rules]]",
  ],
  [
    "a header has a bracket too many",
    ["[[permissions.rules]]]", 'pattern = "x"', END],
    "1:1 the brackets of the header do not match | Write [[permissions.rules]]",
  ],
  ["a header below comments lacks a bracket", [
    "[[permissions.rules] # one",
    "# two",
    "",
    'pattern = "x"',
    END,
  ], "1:1 the brackets of the header do not match | Write [[permissions.rules]]"],
  [
    "a header as elsewhere, but cut",
    [HEAD, 'pattern = "x"', END, "", "[permissions.rules"],
    "5:1 the brackets of the header do not match | Write [[permissions.rules]]",
  ],
  [
    "a table's header lacks a bracket",
    ["[permissions", "enforce = true"],
    "1:1 the brackets of the header do not match | Write [permissions]",
  ],
  [
    "a header without brackets",
    ["permissions.rules", 'pattern = "x"', END],
    '1:1 the key "permissions.rules" has no value | Write permissions.rules = and its value on this line, or [permissions.rules] for a table',
  ],
  [
    "rules as tables of the same name",
    ["[permissions.rules]", 'pattern = "x"', END, "", "[permissions.rules]"],
    "5:1 the table permissions.rules is defined more than once | Join the two tables; for a list of tables write [[permissions.rules]] above each",
  ],
  [
    "a string without its end",
    [HEAD, 'pattern = "Bash:git *', END],
    '2:11 the string has no end | Close it with "',
  ],
  [
    "a string without its start",
    [HEAD, 'pattern = Bash:git *"', END],
    '2:11 the value is not in quotes | Write pattern = "Bash:git *"',
  ],
  [
    "a string without quotes",
    [HEAD, "pattern = Bash(git push:*)", END],
    '2:11 the value is not in quotes | Write pattern = "Bash(git push:*)"',
  ],
  [
    "a long string without its end",
    [HEAD, 'pattern = """x', END],
    '2:11 the string has no end | Close it with """',
  ],
  [
    "quotes of a text processor",
    [HEAD, "pattern = \u201cBash\u201d", END],
    '2:11 the character U+201C has no meaning here | Type " instead',
  ],
  [
    "one such quote at the end",
    [HEAD, 'pattern = "Bash\u201d', END],
    '2:16 the character U+201D has no meaning here | Type " instead',
  ],
  [
    "a space that does not break",
    [HEAD, 'pattern =\u00a0"Bash"', END],
    "2:10 the character U+00A0 has no meaning here | Type an ordinary space",
  ],
  [
    "a byte order mark inside",
    [HEAD, '\ufeffpattern = "Bash"', END],
    "2:1 the character U+FEFF has no meaning here | Remove it; it is invisible",
  ],
  [
    "quotes in a string",
    [HEAD, 'pattern = "Bash(echo "x")"', END],
    '2:23 the string ends before this | Put a text with " in it in single quotes',
  ],
  [
    "an escape that there is not",
    [HEAD, 'pattern = "Bash(a\\d)"', END],
    '2:18 "\\d" is not an escape sequence | Write two backslashes, or put the text in single quotes',
  ],
  ["a list before a table", [
    "[permissions]",
    "rules = [",
    '  { pattern = "x", action = "ask" },',
    "",
    "[tools.x]",
    'kind = "url"',
  ], '2:9 "[" is not closed | Close it with "]" above "[tools.x]"'],
  [
    "a list before a key",
    ["[permissions]", "allow = [", '  "a",', '  "b"', "deny = []"],
    '2:9 "[" is not closed | Close it with "]" above "deny = []"',
  ],
  [
    "a list at the end",
    ["[permissions]", "allow = [", '  "a",'],
    '2:9 "[" is not closed | Close it with "]"',
  ],
  [
    "a list without its start",
    ["[permissions]", 'allow = "a", "b"]'],
    '2:12 the list has no "[" | Write ["a", "b"]',
  ],
  ["an inline table before another", [
    "[permissions]",
    "rules = [",
    '  { pattern = "x", action = "ask",',
    '  { pattern = "y", action = "ask" },',
    "]",
  ], '3:3 "{" is not closed | Close it with "}"'],
  ["an inline table in a list that ends", [
    "[permissions]",
    'rules = [{ pattern = "x", action = "ask"]',
  ], '2:10 "{" is not closed | Close it with "}"'],
  [
    "elements without a comma",
    ["[permissions]", "allow = [", '  "a" # one', '  "b"', "]"],
    "3:5 a comma is missing after this | Put a comma between elements",
  ],
  [
    "pairs without a comma",
    ["[permissions]", 'rules = [{ pattern = "x" action = "ask" }]'],
    "2:24 a comma is missing after this | Put a comma between keys",
  ],
  [
    "semicolons",
    ["[permissions]", 'allow = ["a"; "b"]'],
    '2:13 ";" separates no elements | Write a comma',
  ],
  [
    "two keys on a line",
    [HEAD, 'pattern = "x" action = "ask"'],
    "2:15 the line has a second key | Put each key on a line of its own",
  ],
  [
    "a key behind a header",
    [`${HEAD} pattern = "x"`, END],
    "1:23 the line has a second key | Put each key on a line of its own",
  ],
  [
    "a comma behind a value",
    [HEAD, 'pattern = "x",', END],
    '2:14 "," follows the value | Remove it: the line ends after the value',
  ],
  [
    "a colon",
    [HEAD, 'pattern: "x"', END],
    '2:8 ":" is in the place of "=" | Write pattern = "x"',
  ],
  [
    "two equals signs",
    [HEAD, 'pattern == "x"', END],
    '2:9 "==" is in the place of "=" | Write pattern = "x"',
  ],
  [
    "no equals sign",
    [HEAD, 'pattern "x"', END],
    '2:9 "=" is missing after the key | Write pattern = "x"',
  ],
  [
    "a key without a value",
    [HEAD, "pattern =", END],
    '2:1 the key "pattern" has no value | Write the value on the line of its key',
  ],
  [
    "a value below its key",
    [HEAD, "pattern =", '  "x"', END],
    '2:1 the key "pattern" has no value | Write the value on the line of its key',
  ],
  [
    "a key twice",
    [HEAD, END, 'pattern = "x"', END],
    '4:1 the key "action" is defined more than once | Keep one of them; the other is on line 2',
  ],
  [
    "a table twice",
    ["[permissions]", "[tools.x]", "[permissions]"],
    "3:1 the table permissions is defined more than once | Join the two tables; for a list of tables write [[permissions]] above each",
  ],
  ["True", ["[permissions]", "enforce = True"], "2:11 the word has another spelling | Write true"],
  ["another comment", ["// one", HEAD], '1:1 "//" begins no comment | Begin the comment with #'],
  [
    "another comment behind a value",
    [HEAD, 'pattern = "x" // one', END],
    '2:15 "//" begins no comment | Begin the comment with #',
  ],
  [
    "JSON",
    ['{ "permissions": {} }'],
    '1:1 this is JSON | "caliban perms import --from FILE" converts the rules of another agent',
  ],
  [
    "a conflict",
    ["<<<<<<< HEAD", "[permissions]"],
    "1:1 git left a conflict here | Keep one of the two versions, and remove the lines with <<<<<<<, ======= and >>>>>>>",
  ],
];

for (const [name, lines, said] of MISTAKES) {
  for (const end of ["\n", "\r\n"]) {
    test(`${name}: said where it stands${end === "\n" ? "" : ", with CRLF"}`, () => {
      const [problem] = decodePolicy(lines.map((line) => line + end).join("")).problems;
      assert.ok(problem !== undefined);
      const { span, message, hint } = problem;
      const detail = message.replace("Cannot read the file as TOML: ", "");
      assert.equal(`${span.line}:${span.column} ${detail} | ${hint}`, said);
    });
  }
}

const WHOLE = `# One policy with every form.
[permissions]
enforce = true
unmatched = "agent"

[[permissions.rules]]
pattern = "Bash(git push:*)" # others see it
action = "ask"
match = ["git push", "git push -f"]

[[permissions.rules]]
pattern = 'Read(**/.env)'
action = "deny"
not_match = [
  "a", # one
  "b",
]

[shell]
wrappers = ["rtk"]

[tools.Query]
kind = "text"
first_arg = "sql"
`;

test("a character that is lost is missed in its own line", () => {
  assert.deepEqual(decodePolicy(WHOLE).problems, []);
  const elsewhere: string[] = [];
  for (const { index, 0: mark } of WHOLE.matchAll(/["'[\]=,]/g)) {
    const line = WHOLE.slice(0, index).split("\n").length;
    const [problem] = decodePolicy(WHOLE.slice(0, index) + WHOLE.slice(index + 1)).problems;
    if (problem === undefined || problem.span.line === line) continue;
    elsewhere.push(`${mark} of line ${line}: ${problem.span.line} ${problem.message}`);
  }
  // A list that lost its end is named where it begins.
  assert.deepEqual(elsewhere, [
    '] of line 17: 14 Cannot read the file as TOML: "[" is not closed',
  ]);
});

test("a line of policy and a line of something else never break the search for the cause", () => {
  const lines = [...new Set(MISTAKES.flatMap(([, each]) => each))];
  for (const [index, first] of lines.entries()) {
    for (const second of lines.filter((_, at) => (at + index) % 7 === 0)) {
      for (const { span, hint = "" } of decodePolicy(`\n${first}\n\n${second}`).problems) {
        assert.ok(span.start <= span.end && span.line <= 4, `${first}\n${second}`);
        assert.ok(hint.length < 300);
      }
    }
  }
});
