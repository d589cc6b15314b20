/** A plain line, which the parser does not read, has the tree that it would have by the parser, for every shell. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PrintedKind } from "../../lib/shell/parse/expansions.ts";
import { parseWithParser } from "../../lib/shell/parse/parse_with_parser.ts";
import { plainLine } from "../../lib/shell/parse/plain_line.ts";
import type { Shell } from "../../lib/shell/parse/shell.ts";
import type { Node, Simple } from "../../lib/shell/parse/tree.ts";
import { enough, isThorough } from "../support/cases.ts";
import { almostPlainLine } from "../support/plain_lines.ts";
import { randomFrom } from "../support/random.ts";

const SHELLS: readonly Shell[] = ["posix", "bash", "zsh", "sh"];

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
  return hasLoop(node) ||
      simplesIn(node).some(({ redirects, words }) =>
        redirects.length > 0 || words.some(({ text }) => text.endsWith(" "))
      )
    ? undefined
    : joined(node);
}

function hasLoop(node: Node): boolean {
  return node.kind === "block" || node.kind !== "simple" && node.nodes.some(hasLoop);
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

/** The kind of output of some substitutions, by their first word. */
function printedKind(node: Node): PrintedKind | undefined {
  const name = node.kind === "simple" ? node.words[0]?.shape : undefined;
  return name === "date" ? "integer" : name === "wc" ? "name" : undefined;
}

test("a plain line has the tree that the parser gives it", () => {
  const random = randomFrom(11);
  let plain = 0;
  const forms = { loops: 0, hereDocuments: 0, substitutions: 0, variables: 0 };
  const most = enough(20_000);
  for (let count = 0; count < most; count++) {
    const line = almostPlainLine(random);
    for (const shell of SHELLS) {
      const own = plainLine(line, { shell, printedKind });
      if (own === undefined) continue;
      plain++;
      const shown = JSON.stringify(own.node);
      if (shown.includes('"block"')) forms.loops++;
      if (shown.includes('"<<"')) forms.hereDocuments++;
      if (shown.includes('"$( )"')) forms.substitutions++;
      if (shown.includes('"variable"')) forms.variables++;
      const parsed = parseWithParser(line, { shell, printedKind });
      assert.deepEqual(withoutMarks(own), parsed, `${shell}: ${line}`);
      assert.equal(own.spacedText, canonical(own.node!), line);
      for (const simple of simplesIn(own.node!)) {
        assert.equal(simple.isAsWritten === true, isAsWritten(simple), line);
      }
    }
  }
  assert.ok(plain > most / 4, `${plain} of ${most} lines were plain to some shell`);
  for (const [form, count] of Object.entries(forms)) {
    assert.ok(!isThorough || count > most / 100, `${count} of ${most} had ${form}`);
  }
});

test("lines that the parser must read are not plain", () => {
  const others =
    "|a§a |§a &&§&& a§a && § a§a §a;; b§a &§a & b§a;b§a  b§a ; b§a *§a\nb§a\tb§a 'b§a \"b§a=1§A=~ b§A=a:~/b c§A= b§A+=1 b§1A=2 b§A=b=c d§A=1 B=2§A=1; b§A=1 | b§A=1 export b§A=1 > b c§A=1  b§A=$x b§A='b' c§a \\b§# a§{ a§! a§§ §;§é§" +
    'a >b >§a 12> b§a >| b§a >& b§a 2>&12§a &> b§a > \'b\'§a>b§> a§a << b§a <<E\nx§a <<E\n$x\nE§a <<-E\nE§a <<<b§a ${x}§a $(b§a $(b )§a $()§a $1§a "$x:h"§a "$x[1]"§a `b`§for f in a; do b; c§for f in a; do b; done > c§for f; do a; done§while a; do b; done§a > b>c§a 2>&1c§if a§time a§export a=b§exit a';
  for (const line of others.split("§")) {
    assert.equal(plainLine(line, { shell: "posix", printedKind }), undefined, line);
  }
});

test("lines of plain words, assignments and redirections are plain", () => {
  const lines =
    "a b§a 2>&1§a >&0§a >&9 b§a > b§a >b c§a 2> b§a >> b§a < b§A=1 b§A=1 B_2=x/y:z b c=d§a | b && c; d§a;§a 'b c' \"d\"";
  for (const line of lines.split("§")) {
    assert.notEqual(plainLine(line, { shell: "posix", printedKind }), undefined, line);
  }
});
