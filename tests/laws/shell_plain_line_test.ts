/** A plain line, which the parser does not read, has the tree that it would have by the parser, for every shell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { parseWithParser } from "../../lib/shell/parse/parse_with_parser.ts";
import { plainLine } from "../../lib/shell/parse/plain_line.ts";
import type { Shell } from "../../lib/shell/parse/shell.ts";
import type { Node, Simple } from "../../lib/shell/parse/tree.ts";
import { enough } from "../support/cases.ts";
import { type Random, randomFrom } from "../support/random.ts";

const SHELLS: readonly Shell[] = ["posix", "bash", "zsh", "sh"];

/** Names that the parser, or a shell, reads in a way of its own, among others. */
const NAMES =
  ("A=1 A_b=x/y:z CI=true A=~ A=a:~ A= 1A=b A-b=c A=b=c _=1 A=% git npm ls cat 2x ./x /bin/ls @ % , ^ : . + _ - -x ~ ~u =ls a=b a+=b a[1]=2 if then else elif fi do done for while until in " +
    "case esac function select coproc time local alias export declare typeset readonly eval let exit test read printf exec command " +
    "builtin noglob nocorrect repeat foreach end always trap set unset return break continue shift logout { } ! [[ ]] [")
    .split(
      " ",
    );

/** Words that are plain, or would be but for one character. */
const WORDS = [
  ..."a b.ts -x --y=z src/1 HEAD~1 a=b if in do time esac then x:y ~ ~/a 1 - -- +x % a@b =a } { ! [ ]"
    .split(" "),
  ...[
    "'a b'",
    '"c d"',
    "'~x'",
    '"~x"',
    "'[!a]'",
    '"[!a]"',
    '"[^"',
    '"[["',
    "''",
    '""',
    "'a;b'",
    '"a|b"',
  ],
  ...[
    "'$x'",
    '"$x"',
    '"`a`"',
    "'\\'",
    '"\\"',
    '"\\a"',
    "'{a}'",
    '"{a,b}"',
    "'()'",
    '"f()"',
    "'function x'",
  ],
  ...[
    "'a'b",
    "a'b'",
    "'é'",
    "é",
    "'\n'",
    "'\t'",
    "$x",
    "$(a)",
    "`a`",
    "*",
    "?",
    "#",
    "\\a",
    ">b",
    "<b",
    "(",
    ")",
  ],
];
const PLAIN_WORDS = [
  "a",
  "-x",
  "--y=z",
  "src/1",
  "HEAD~1",
  "'a b'",
  '"c d"',
  "'{print $1}'",
  "'a '",
  '".a[1].b"',
  "if",
  "in",
];
const BETWEEN = [" ", " ", " ", " ", " | ", " && ", " || ", "; "];
const OTHERS = ["  ", ";", "|", " ; ", " & ", "\n", ";; ", " |& ", " ! ", "", "\t"];

function lineOf(random: Random): string {
  const isMostlyPlain = random.below(3) > 0;
  let line = "";
  let isFirst = true;
  for (let left = 1 + random.below(7); left > 0; left--) {
    const isOdd = random.below(isMostlyPlain ? 20 : 4) === 0;
    const word: string = isFirst && random.below(2) === 0
      ? random.pick(NAMES)
      : random.pick(isOdd ? WORDS : PLAIN_WORDS);
    line += word;
    const between = random.pick(random.below(isMostlyPlain ? 30 : 6) === 0 ? OTHERS : BETWEEN);
    // Behind an assignment a name may follow.
    isFirst = between !== " " || isFirst && word.includes("=");
    if (left > 1 || random.below(12) === 0) line += between;
  }
  return line;
}

/** The line without the marks that the parser's has not. */
function withoutMarks(line: unknown): unknown {
  return JSON.parse(JSON.stringify(line, (key, value) => MARKS.includes(key) ? undefined : value));
}

const MARKS = ["spacedText", "isAsWritten"];

function simplesIn(node: Node): readonly Simple[] {
  return node.kind === "simple" ? [node] : node.nodes.flatMap(simplesIn);
}

function isAsWritten({ words, text, assignments }: Simple): boolean {
  return assignments.length === 0 && words.map(({ shape }) => shape).join(" ") === text &&
    words.every(({ raw, shape }) => raw === shape && !/\s/.test(shape));
}

/** The canonical text of commands without redirections, and without words that end in a blank. */
function canonical(node: Node): string | undefined {
  return simplesIn(node).some(({ redirects, words }) =>
      redirects.length > 0 || words.some(({ text }) => text.endsWith(" "))
    )
    ? undefined
    : joined(node);
}

function joined(node: Node): string {
  if (node.kind === "simple") {
    const set = node.assignments.map(({ name, value }) => `${name}=${value.text}`);
    return [...set, ...node.words.map(({ text }) => text)].join(" ");
  }
  const between = (at: number) =>
    node.kind === "pipe" ? " | " : node.kind === "block" ? "" : SPACED[node.operators[at]!];
  return node.nodes.map((each, at) =>
    joined(each) + (at < node.nodes.length - 1 ? between(at) : "")
  ).join("");
}

const SPACED = { ";": "; ", "&": " & ", "&&": " && ", "||": " || " };

test("a plain line has the tree that the parser gives it", () => {
  const random = randomFrom(11);
  let plain = 0;
  const most = enough(20_000);
  for (let count = 0; count < most; count++) {
    const line = lineOf(random);
    for (const shell of SHELLS) {
      const own = plainLine(line, shell);
      if (own === undefined) continue;
      plain++;
      const parsed = parseWithParser(line, { shell, printedKind: () => undefined });
      assert.deepEqual(withoutMarks(own), parsed, `${shell}: ${line}`);
      assert.equal(own.spacedText, canonical(own.node!), line);
      for (const simple of simplesIn(own.node!)) {
        assert.equal(simple.isAsWritten === true, isAsWritten(simple), line);
      }
    }
  }
  assert.ok(plain > most / 3, `${plain} of ${most} lines were plain to some shell`);
});

test("lines that the parser must read are not plain", () => {
  const others =
    "|a§a |§a &&§&& a§a && § a§a §a;; b§a &§a & b§a;b§a  b§a ; b§a $x§a *§a\nb§a\tb§a 'b§a \"b§a=1§A=~ b§A=a:~/b c§A= b§A+=1 b§1A=2 b§A=b=c d§A=1 B=2§A=1; b§A=1 | b§A=1 export b§A=1 > b c§A=1  b§A=$x b§A='b' c§a \\b§# a§{ a§! a§§ §;§é§" +
    "a >b >§a 12> b§a >| b§a >& b§a 2>&12§a &> b§a > 'b'§a>b§> a§a << b§a > b>c§a 2>&1c§if a§time a§export a=b§exit a";
  for (const line of others.split("§")) assert.equal(plainLine(line, "posix"), undefined, line);
});

test("lines of plain words, assignments and redirections are plain", () => {
  const lines =
    "a b§a 2>&1§a >&0§a >&9 b§a > b§a >b c§a 2> b§a >> b§a < b§A=1 b§A=1 B_2=x/y:z b c=d§a | b && c; d§a;§a 'b c' \"d\"";
  for (const line of lines.split("§")) {
    assert.notEqual(plainLine(line, "posix"), undefined, line);
  }
});
