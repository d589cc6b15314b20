import assert from "node:assert/strict";
import { test } from "node:test";
import { enough } from "../../../support/cases.ts";
import fc from "../../../support/seeded.ts";
import { parseMatcher } from "../../../../lib/gate/hooks/matcher.ts";

function fits(matcher: string, tool: string): boolean {
  const read = parseMatcher(matcher);
  assert.ok(read.ok, `${matcher}: ${read.ok ? "" : read.detail}`);
  return read.matcher.fits(tool);
}

test("a matcher is for the tools whose whole name it fits, empty for all", () => {
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
      ["[^]", ["a", "/", "\n"], ["", "ab"]],
      ["\\S+", ["a/b"], ["a b"]],
      ["a{0}b?", ["", "b"], ["a", "ab"]],
      ["Ba.h|", ["Bash", "", "Ba/h"], ["Bas"]],
      ["\\u{1F980}|\\x41\\.", ["🦀", "A."], ["A"]],
      [".", ["🦀"], ["🦀🦀"]],
    ];
  for (const [matcher, yes, no] of cases) {
    for (const tool of yes) assert.ok(fits(matcher, tool), `${matcher} ${tool}`);
    for (const tool of no) assert.ok(!fits(matcher, tool), `${matcher} ${tool}`);
  }
});

test("what is no matcher says why and where", () => {
  const cases = [
    ["Bash(", '")" is missing', 4],
    ["(?=Bash).*", "look-around and flags are not supported", 0],
    ["(?!Bash).*", "look-around and flags are not supported", 0],
    ["Bash)", 'nothing opens ")"', 4],
    ["*Bash", 'nothing stands before "*"', 0],
    ["a**", 'nothing stands before "*"', 2],
    ["a|+", 'nothing stands before "+"', 2],
    ["[Bash", '"]" is missing', 0],
    ["[]", '"[]" fits nothing', 0],
    ["[z-a]", "the range is in the wrong order", 1],
    ["[\\w-a]", "a range leads from one character to another", 1],
    ["a{2,1}", "the counts are in the wrong order", 1],
    ["a{9999}", "a count may be 1000 at most", 1],
    ["a{x}", '"{" is no count; write "\\{" for itself', 1],
    ["}", 'nothing opens "}"; write "\\}" for itself', 0],
    ["\\bBash", 'the escape "\\b" is not supported', 0],
    ["(a)\\1", 'the escape "\\1" is not supported', 3],
    ["\\p{L}", 'the escape "\\p" is not supported', 0],
    ["\\ud83d\\ude00", 'half a character fits nothing; write "\\u{…}"', 0],
    ["\\", "nothing stands behind the backslash", 0],
    ["a^b", '"^" can stand at the start of the whole only', 1],
    ["(a$)b", '"$" can stand at the end of the whole only', 2],
    ["(^a)*", '"^" can stand at the start of the whole only', 1],
    ["^*", '"*" cannot repeat what stands before it', 1],
    ["((a{99}){99}){99}", "its counts make it too large", 0],
    ["a".repeat(1001), "it may have 1000 characters at most", 1000],
    ["(".repeat(60), "groups are nested deeper than 50", 50],
    ["\ud800", "it is not valid Unicode", 0],
  ] as const;
  for (const [matcher, detail, at] of cases) {
    const read = parseMatcher(matcher);
    assert.ok(!read.ok, matcher);
    assert.deepEqual({ detail: read.detail, at: read.at }, { detail, at }, matcher);
  }
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

test("a matcher fits what the platform's own engine fits, and is one only where that agrees", () => {
  let read = 0;
  fc.assert(
    fc.property(expression, fc.array(name, { maxLength: 8 }), (text, names) => {
      const matcher = parseMatcher(text);
      if (!matcher.ok || text === "*") return;
      read++;
      // Outside a set `\-` is no escape of ECMAScript's `u`; it means what it says.
      const oracle = new RegExp(`^(?:${text.replaceAll("\\-", "-")})$`, "su");
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

test("a matcher that makes others backtrack costs nothing over a long name", () => {
  for (const matcher of ["(a*)*b", "(a|a)*b", "(a|aa)+$", "(.*a){20}b", "((a+)+)+b"]) {
    const read = parseMatcher(matcher);
    assert.ok(read.ok);
    const began = performance.now();
    read.matcher.fits("a".repeat(20_000));
    const took = performance.now() - began;
    assert.ok(took < 1_000, `${matcher}: ${took} ms`);
  }
});
