import assert from "node:assert/strict";
import { test } from "node:test";
import type { Action } from "../../../lib/model/call.ts";
import { compiledOf } from "../../support/policy.ts";

interface ErrorCase {
  readonly pattern: string;
  readonly detail: string;
  /** The character that is wrong, from 1. */
  readonly at: number;
  readonly hint?: string;
  readonly action?: Action;
}

const DOTS = "paths are resolved before they are compared";
const ABSOLUTE = "write the absolute path, ~/… or ./… for the workspace";
const HOME = "write ~/… or the absolute path; \\~ for a name that begins with ~";
const DOMAIN = "write domain:example.com; it includes its subdomains";
const HOST = "write a host name; punycode for a wildcard next to a non-ASCII letter";

const EDGE = "white space at the edge matches almost nothing";
const ESCAPE = "remove it, or write \\ before it";
const URL_HINT = "write https://example.com/* or domain:example.com";

const LONE = "write Bash(@read) for commands of that class; \\@ for a tool of that name";

const CASES: readonly ErrorCase[] = [
  { pattern: "", detail: "missing tool name", at: 1, hint: "write * for every tool" },
  { pattern: ":x", detail: "missing tool name", at: 1, hint: "write * for every tool" },
  { pattern: "(x)", detail: "missing tool name", at: 1, hint: "write * for every tool" },
  {
    pattern: "Bash ls",
    detail: "a tool's name has no white space",
    at: 5,
    hint: "write Bash:… for its argument",
  },
  { pattern: "@read", detail: "@read is a class, not a tool", at: 1, hint: LONE },
  { pattern: "@read:x", detail: "@read is a class, not a tool", at: 1, hint: LONE, action: "deny" },
  { pattern: "@read(x)", detail: "@read is a class, not a tool", at: 1, hint: LONE },
  { pattern: "@read x", detail: "@read is a class, not a tool", at: 1, hint: LONE },
  { pattern: "@reed", detail: 'there is no class "reed"', at: 1, hint: LONE, action: "deny" },
  {
    pattern: "Bash(@reed)",
    detail: 'there is no class "reed"',
    at: 7,
    hint: "did you mean @read? write \\@ for the character",
  },
  { pattern: "Ba)sh", detail: "a tool's name has no )", at: 3 },
  { pattern: "Bash(git *", detail: 'missing ")"', at: 11, hint: "write Bash(…)" },
  { pattern: "Bash: rm *", detail: EDGE, at: 6, hint: ESCAPE },
  { pattern: "Bash:rm * ", detail: EDGE, at: 10, hint: ESCAPE, action: "deny" },
  { pattern: "Read( .env)", detail: EDGE, at: 6, hint: ESCAPE, action: "deny" },
  {
    pattern: "Read:{~/.ssh,~/.aws}/**",
    detail: 'a path cannot begin inside braces, as "~/.ssh" does',
    at: 6,
    hint: "write one rule for each",
    action: "deny",
  },
  {
    pattern: "Read:{etc,/var}/passwd",
    detail: 'a path cannot begin inside braces, as "/var" does',
    at: 6,
    hint: "write one rule for each",
    action: "deny",
  },
  {
    pattern: "WebFetch:evil.com/*",
    detail: 'no URL begins with "evil.com/"',
    at: 10,
    hint: URL_HINT,
    action: "deny",
  },
  {
    pattern: "WebFetch:www.evil.com*",
    detail: 'no URL begins with "www.evil.com"',
    at: 10,
    hint: URL_HINT,
    action: "ask",
  },
  {
    pattern: "WebFetch:https://x.co?*",
    detail: 'a "?" in the host stands for any character',
    at: 22,
    hint: "write / before a query, and \\? for the question mark itself",
  },
  { pattern: "Bash(git *) x", detail: 'text after ")"', at: 12 },
  {
    pattern: "Bash()",
    detail: "the specifier is empty",
    at: 6,
    hint: "write Bash alone for any input",
  },
  {
    pattern: "Bash( )",
    detail: "the specifier is empty",
    at: 6,
    hint: "write Bash alone for any input",
  },
  {
    pattern: "Bash:",
    detail: "the specifier is empty",
    at: 6,
    hint: "write Bash alone for any input",
  },
  { pattern: "Bash:~", detail: 'nothing after "~"', at: 6, hint: "name the command" },
  { pattern: "Bash(:*)", detail: "nothing before :*", at: 6, hint: "name the command" },
  {
    pattern: "Bash:git\\",
    detail: "a lone backslash at the end",
    at: 9,
    hint: "write \\\\ for a backslash",
  },
  {
    pattern: "Bash:timeout=5,command=a\\",
    detail: "a lone backslash at the end",
    at: 25,
    hint: "write \\\\ for a backslash",
  },
  {
    pattern: "Bash:a\u0001b",
    detail: "a control character",
    at: 7,
    hint: "patterns are one line of text",
  },
  { pattern: `Bash:${"a".repeat(16_380)}`, detail: "longer than 16384 characters", at: 1 },
  { pattern: "Bash:\ud800", detail: "not well-formed Unicode", at: 1 },
  {
    pattern: "Read:~root/x",
    detail: '"~root" is not a known home folder',
    at: 6,
    hint: HOME,
  },
  { pattern: "Read:~rm", detail: '"~rm" is not a known home folder', at: 6, hint: HOME },
  { pattern: "Read:../x", detail: `".." matches no path: ${DOTS}`, at: 6, hint: ABSOLUTE },
  { pattern: "Read:a/../b", detail: `".." matches no path: ${DOTS}`, at: 8, hint: ABSOLUTE },
  { pattern: "Read:/a/./b", detail: `"." matches no path: ${DOTS}`, at: 9, hint: ABSOLUTE },
  { pattern: "Read:a/\\../b", detail: `".." matches no path: ${DOTS}`, at: 6, hint: ABSOLUTE },
  { pattern: "Write:path=../x", detail: `".." matches no path: ${DOTS}`, at: 12, hint: ABSOLUTE },
  {
    pattern: "Read:a//b",
    detail: "an empty segment matches no path",
    at: 8,
    hint: "write one slash",
  },
  {
    pattern: "Read:src/",
    detail: "no path ends in a slash",
    at: 9,
    hint: "write src/** for everything below",
  },
  {
    pattern: "Read:{a,{b,{c,{d,{e,{f,{g,{h,{i,j}}}}}}}}}",
    detail: "braces nested more than 8 deep",
    at: 30,
  },
  {
    pattern: "WebFetch:~x",
    detail: '"~" is for tools that take a command; WebFetch takes none',
    at: 10,
    hint: "write \\~ for the character",
  },
  {
    pattern: "WebFetch:https://u@x.org/",
    detail: "a URL with a user name is malformed, so nothing matches this",
    at: 18,
  },
  {
    pattern: "WebFetch:https://x.org:http/",
    detail: 'the port "http" is neither a number nor *',
    at: 18,
  },
  { pattern: "WebFetch:https://x y/", detail: '"x y" is not a host name', at: 18, hint: HOST },
  {
    pattern: "WebFetch:https://mün*.de/",
    detail: '"mün*.de" is not a host name',
    at: 18,
    hint: HOST,
  },
  {
    pattern: "WebFetch:https://x\\\\y/",
    detail: '"x\\\\y" is not a host name',
    at: 18,
    hint: HOST,
  },
  { pattern: "WebFetch:domain:", detail: '"" is not a host name', at: 17, hint: DOMAIN },
  {
    pattern: "WebFetch:domain:*.x.org",
    detail: '"*.x.org" is not a host name',
    at: 17,
    hint: DOMAIN,
  },
  {
    pattern: "WebFetch:*x.org*",
    detail: 'an allow rule for a URL needs "://" and a host: a * does not stand for a host\'s part',
    at: 10,
    hint: "write https://example.com/* or domain:example.com",
    action: "allow",
  },
];

for (const { pattern, detail, at, hint, action } of CASES) {
  test(`the pattern ${JSON.stringify(pattern.slice(0, 40))} does not load: ${detail}`, () => {
    const { policy, problems } = compiledOf([{ pattern, action: action ?? "deny" }]);
    assert.equal(policy, undefined);
    assert.equal(problems.length, 1);
    const [problem] = problems;
    assert.equal(
      problem!.message,
      `Cannot use pattern "${pattern}": ${detail}, at character ${at}`,
    );
    assert.equal(problem!.hint, hint);
    assert.equal(problem!.id, "invalid-pattern");
    // The file holds the pattern in quotes, so that its first character stands in column 2.
    assert.equal(problem!.span.column, Math.min(at, Math.max(1, pattern.length + 1)) + 1);
  });
}

for (
  const [pattern, message] of [
    [
      "TodoWrite:x",
      'TodoWrite has no first argument, so "x" matches no call: name a field, as TodoWrite:todos=…',
    ],
    [
      "Grep:x",
      'Grep has no first argument, so "x" matches no call: name a field, as Grep:pattern=…',
    ],
    [
      "mcp__x:y",
      'the first argument of mcp__x is unknown, so "y" cannot be compared: name a field (mcp__x:key=…) or set first_arg under [tools.mcp__x]',
    ],
  ] as const
) {
  test(`the pattern ${pattern} loads with a warning`, () => {
    const { policy, problems } = compiledOf([{ pattern, action: "allow" }]);
    assert.ok(policy);
    assert.deepEqual(problems.map((problem) => [problem.id, problem.severity, problem.message]), [
      ["never-fits", "warning", `Pattern "${pattern}": ${message}`],
    ]);
  });
}

test("all faulty patterns are told at once, and none of the rules is used", () => {
  const patterns = ["Bash(", "Read:../x", "Bash:ls", ":"];
  const { policy, problems } = compiledOf(
    patterns.map((pattern) => ({ pattern, action: "allow" })),
  );
  assert.equal(policy, undefined);
  assert.deepEqual(problems.map(({ span }) => span.line), [1, 2, 4]);
});
