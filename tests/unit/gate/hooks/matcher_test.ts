import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../../../support/cases.ts";
import fc from "../../../support/seeded.ts";
import { parseMatcher } from "../../../../lib/gate/hooks/compile_hooks.ts";

async function fits(matcher: string, tool: string): Promise<boolean> {
  const read = await parseMatcher(matcher);
  assert.ok(read.ok, `${matcher}: ${read.ok ? "" : read.detail}`);
  return read.matcher.fits(tool);
}

test("a matcher is for the tools whose whole name it fits, empty for all", async () => {
  const cases:
    readonly (readonly [matcher: string, yes: readonly string[], no: readonly string[]])[] = [
      ["", ["Bash", "", "mcp__a__b"], []],
      ["*", ["Bash", ""], []],
      ["Bash", ["Bash"], ["bash", "Bash2", "MyBash", "", "Bash\n"]],
      ["Edit|Write", ["Edit", "Write"], ["MultiEdit", "Edit|Write", "EditWrite"]],
      ["^Bash$", ["Bash"], ["Bashful"]],
      ["^(?:Edit|Write)$", ["Edit", "Write"], ["Edits"]],
      ["^Edit$|^Write$", ["Edit", "Write"], ["^Edit$"]],
      ["(^Bash|Read$)", ["Bash", "Read"], ["Bashful"]],
      [".*", ["Bash", "", "a\nb", "a/b"], []],
      ["mcp__.*", ["mcp__", "mcp__github__create_issue"], ["mcp_", "xmcp__a"]],
      ["(?<server>mcp__\\w+)__(write|delete)", ["mcp__fs__write"], ["mcp__fs__read"]],
      ["[^a-c]+", ["x/y", "d"], ["xay", ""]],
      ["[\\w-]{2,3}", ["a-", "a_1"], ["a", "abcd", "a/b"]],
      ["\\S+", ["a/b"], ["a b"]],
      ["a{0}b?", ["", "b"], ["a", "ab"]],
      ["Ba.h|", ["Bash", "", "Ba/h"], ["Bas"]],
      ["\\x{1F980}|\\x41\\.", ["🦀", "A."], ["A"]],
      ["mcp__a__x|mcp__b__.*|Read", ["mcp__a__x", "mcp__b__", "Read"], ["mcp__a__xy", "mcp__b"]],
      ["Edit|EditFile", ["Edit", "EditFile"], ["EditF"]],
      [".", ["🦀"], ["🦀🦀"]],
    ];
  for (const [matcher, yes, no] of cases) {
    for (const tool of yes) assert.ok(await fits(matcher, tool), `${matcher} ${tool}`);
    for (const tool of no) assert.ok(!await fits(matcher, tool), `${matcher} ${tool}`);
  }
});

test("a text that is no matcher has the reason", async () => {
  const cases = [
    ["Bash(", "missing closing )"],
    ["(?=Bash).*", "look-around is not supported"],
    ["(?!Bash).*", "look-around is not supported"],
    ["(?<!Bash).*", "look-around is not supported"],
    ["Bash)", "unexpected )"],
    ["*Bash", 'missing argument to repetition operator "*"'],
    ["a**", 'invalid nested repetition operator "**"'],
    ["a|+", 'missing argument to repetition operator "+"'],
    ["x|[Bash", 'missing closing ] "[Bash"'],
    ["[]", "missing closing ]"],
    ["[a{", "missing closing ]"],
    ["[z-a]", 'invalid character class range "z-a"'],
    ["a{2,1}", 'invalid repeat count "{2,1}"'],
    ["a{9999}", 'invalid repeat count "{9999}"'],
    ["(a)\\1", 'unknown escape "\\1"'],
    ["\\", "trailing backslash at end of expression"],
    ["((a{99}){99}){99}", 'invalid repeat count "{99}"'],
    ["(?:[ab]{1000}c){1}|".repeat(6) + "a", "its repetition counts make it too large"],
    ["a".repeat(1001), "it is longer than 1000 characters"],
    ["\ud800", "it is not valid Unicode"],
  ] as const;
  for (const [matcher, detail] of cases) {
    assert.deepEqual(await parseMatcher(matcher), { ok: false, detail }, matcher);
  }
});

test("RE2 differs from ECMAScript", async () => {
  assert.ok(await fits("(?i)bash", "BASH"));
  assert.ok(await fits("[[:alpha:]]+", "Bash"));
  assert.ok(!await fits("\\s", "\u00a0"));
  for (const text of ["[^]", "\\u{1F980}", "\\u0041", "(a)\\1", "\\cA", "\\Qa\\E", "a{x}"]) {
    assert.ok(!(await parseMatcher(text)).ok, text);
  }
});

test("groups in groups are parsed to any depth", async () => {
  assert.ok(await fits("(".repeat(499) + "a" + ")".repeat(499), "a"));
});

/** Expressions, some of which are none. */
const expression = fc.letrec<{ node: string }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(
      "a",
      "b",
      ".",
      "\\w",
      "\\D",
      "\\/",
      "[ab]",
      "[^a]",
      "[^\\s/]",
      "[a-c-]",
      "\\n",
      "🦀",
    ),
    fc.tuple(tie("node"), tie("node")).map((parts) => parts.join("")),
    fc.tuple(tie("node"), tie("node")).map(([one, other]) => `(${one}|${other})`),
    fc.tuple(tie("node"), fc.constantFrom("*", "+", "?", "{2}", "{1,2}", "{1,}", "*?"))
      .map(([body, count]) => `(?:${body})${count}`),
    tie("node").map((body) => `(${body}|)`),
    tie("node").map((body) => `^${body}$`),
    fc.constantFrom("*", "(", "]", "{", "\\q", "$", "|", "\\-"),
  ),
})).node;

const name = fc.string({
  unit: fc.constantFrom("a", "b", "c", "/", "\n", "1", "🦀"),
  maxLength: 6,
});

test("a matcher fits what the platform's own engine fits, where that takes it", async () => {
  let read = 0;
  await fc.assert(
    fc.asyncProperty(expression, fc.array(name, { maxLength: 8 }), async (text, names) => {
      const matcher = await parseMatcher(text);
      // Outside a set `\-` is no escape of ECMAScript's `u`; it means what it says.
      const oracle = expressionOf(`^(?:${text.replaceAll("\\-", "-")})$`);
      if (!matcher.ok || oracle === undefined || text === "*") return;
      read++;
      for (const each of names) {
        assert.equal(
          matcher.matcher.fits(each),
          text === "" || oracle.test(each),
          `${text} ${each}`,
        );
      }
    }),
    { numRuns: 3000 },
  );
  assert.ok(read > enough(1000), `${read}`);
});

function expressionOf(text: string): RegExp | undefined {
  try {
    return new RegExp(text, "su");
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

test("a matcher that makes others backtrack costs nothing over a long name", async () => {
  for (const matcher of ["(a*)*b", "(a|a)*b", "(a|aa)+$", "(.*a){20}b", "((a+)+)+b"]) {
    const read = await parseMatcher(matcher);
    assert.ok(read.ok);
    const began = performance.now();
    read.matcher.fits("a".repeat(20_000));
    const took = performance.now() - began;
    assert.ok(took < 1_000, `${matcher}: ${took} ms`);
  }
});
