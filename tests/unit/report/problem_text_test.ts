import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "../../support/seeded.ts";
import type { FileProblem } from "../../../lib/model/problem.ts";
import { ANSI, PLAIN } from "../../../lib/report/color.ts";
import { problemText } from "../../../lib/report/problem_text.ts";
import { textWidth } from "../../../lib/text/visible.ts";

/** A problem about the `count`th text `marked` in `text`. */
function problemAt(text: string, marked: string, more: Partial<FileProblem> = {}): FileProblem {
  const start = text.indexOf(marked);
  return at(text, { start, end: start + marked.length }, more);
}

function at(
  text: string,
  { start, end }: { start: number; end: number },
  more: Partial<FileProblem> = {},
): FileProblem {
  const before = text.slice(0, start).split("\n");
  const span = { start, end, line: before.length, column: (before.at(-1) ?? "").length + 1 };
  return {
    id: "unknown-value",
    severity: "error",
    message: "Unknown action",
    path: "p.toml",
    text,
    span,
    ...more,
  };
}

function shown(problem: FileProblem): readonly string[] {
  return problemText(problem, { color: PLAIN }).split("\n");
}

test("a problem has its place, its line, an underline and a hint", () => {
  const text = '[[permissions.rules]]\naction = "alow"\npattern = "x"\n';
  const hint = 'Did you mean "allow"?';
  assert.deepEqual(shown(problemAt(text, '"alow"', { hint })), [
    "p.toml:2:10: error: Unknown action",
    '  action = "alow"',
    "           ^~~~~~",
    'hint: Did you mean "allow"?',
    "",
  ]);
});

test("a warning says so, and without a hint there is none", () => {
  const lines = shown(problemAt("a = 1", "a", { severity: "warning" }));
  assert.deepEqual(lines, ["p.toml:1:1: warning: Unknown action", "  a = 1", "  ^", ""]);
});

test("tabs stay, so that the underline is below its text whatever they measure", () => {
  const lines = shown(problemAt("\ta\t= x\r\n", "x"));
  assert.deepEqual(lines.slice(1, 3), ["  \ta\t= x", "  \t \t  ^"]);
});

test("wide and combining characters are measured", () => {
  const lines = shown(problemAt('a = "漢字e\u0301" x', "x"));
  assert.deepEqual(lines.slice(1, 3), ['  a = "漢字e\u0301" x', `  ${" ".repeat(12)}^`]);
});

test("a span at the end of the text, or of a line, is marked behind it", () => {
  assert.deepEqual(shown(at("a =", { start: 3, end: 3 })).slice(1, 3), ["  a =", "     ^"]);
  assert.deepEqual(shown(at("a =\nb", { start: 3, end: 4 })).slice(1, 3), ["  a =", "     ^"]);
  assert.deepEqual(shown(at("\na", { start: 0, end: 0 })).slice(1, 3), ["  ", "  ^"]);
  assert.deepEqual(shown(at("", { start: 0, end: 0 })).slice(1, 3), ["  ", "  ^"]);
});

test("of a span over several lines the first is shown", () => {
  const lines = shown(at("x = [\n 1,\n]\n", { start: 4, end: 12 }));
  assert.deepEqual(lines.slice(1, 3), ["  x = [", "      ^"]);
});

test("a long line is cut round its span", () => {
  const lines = shown(problemAt(`${"a".repeat(300)}BAD${"c".repeat(300)}`, "BAD"));
  const [, line = "", underline = ""] = lines;
  assert.equal(line.slice(underline.indexOf("^"), underline.length), "BAD");
  assert.match(line, /^ {2}…a+BADc+…$/);
  assert.equal(line.length, 80);
});

test("a span longer than a line is underlined as far as it is shown", () => {
  const [, line = "", underline = ""] = shown(
    problemAt(`x = "${"a".repeat(200)}"`, "a".repeat(200)),
  );
  assert.match(line, /^ {2}x = "a{70,}…$/);
  assert.match(underline, /^ {7}\^~+$/);
});

test("nothing of the user's text is printed raw", () => {
  const text = 'a = "\x1b[2J\u202e"';
  const problem = problemAt(text, "\x1b[2J\u202e", {
    message: 'Unknown "\x1b[2J"',
    hint: "\u202e",
    path: "a\nb.toml",
  });
  assert.deepEqual(shown(problem), [
    'a\\u{a}b.toml:1:6: error: Unknown "\\u{1b}[2J"',
    '  a = "\\u{1b}[2J\\u{202e}"',
    `       ^${"~".repeat(16)}`,
    "hint: \\u{202e}",
    "",
  ]);
});

test("a message out of all proportion is cut", () => {
  const [first = ""] = shown(problemAt("a", "a", { message: "x".repeat(100_000) }));
  assert.ok(first.length < 2100);
});

test("colour changes nothing but colour", () => {
  const problem = problemAt("a = 1", "1", { hint: "no" });
  const text = problemText(problem, { color: ANSI });
  // deno-lint-ignore no-control-regex
  assert.equal(text.replaceAll(/\x1b\[\d+m/g, ""), problemText(problem, { color: PLAIN }));
});

test("an excerpt of any text and span fits, and marks something", () => {
  const span = fc.tuple(fc.nat(300), fc.nat(50));
  const texts = fc.string({ unit: "grapheme", maxLength: 300 });
  fc.assert(fc.property(texts, span, (text, [start, length]) => {
    const [, line = "", underline = ""] = shown(at(text, { start, end: start + length }));
    assert.match(underline, /^[ \t]*\^[~\t]*$/);
    assert.ok(textWidth(line) <= 80);
    assert.ok(textWidth(underline) <= 80);
  }));
});
