import assert from "node:assert/strict";
import { test } from "node:test";
import { isSubscripted } from "../../../lib/shell/parse/command_differences.ts";
import { parseWithParser } from "../../../lib/shell/parse/parse_with_parser.ts";
import type { Shell } from "../../../lib/shell/parse/shell.ts";
import type { Node } from "../../../lib/shell/parse/tree.ts";

const SH = "sh reads it differently from bash";
const COMMAND = "sh takes it for a command";
const EXEC = 'the options of "exec" differ';
const WORDS = 'busybox takes operators behind "[[" for words';
const RANGE = "zsh takes it for a range of numbers";
const TIME = 'zsh takes "time" for a word of its own, and what follows for an assignment';
const MODULES = '"modules" says what commands mean in zsh';

/** Lines, the shells that they are read for, and what is unknown of them or evaluated as arithmetic. */
const LINES: readonly (readonly [string, readonly Shell[], readonly string[]])[] = [
  ["a >&1", ["sh", "posix"], []],
  ["a >&10", ["sh", "bash"], []],
  ["a >&-", ["sh", "posix"], []],
  ["a >&1x", ["sh"], [SH]],
  ["a >&x1", ["sh"], [SH]],
  ["a >&--", ["sh"], [SH]],
  ["a >&x", ["bash"], []],
  ["a &>f", ["sh"], [SH]],
  ["a <<<f", ["sh"], [SH]],
  ["a {b}>f", ["sh"], [SH]],
  ["a {b}>f", ["bash"], []],
  ["a 12>f", ["zsh", "posix", "sh"], ["zsh and dash take the number for a word"]],
  ["a 12>f", ["bash"], []],
  ["a >!f", ["zsh", "posix"], ['zsh takes the "!" for the operator']],
  ["a <<<!f", ["zsh", "posix"], []],
  ["a <1-2>x", ["zsh", "posix"], [RANGE]],
  ["a <->x", ["zsh", "posix"], [RANGE]],
  ["a <1-2>x", ["bash", "sh"], []],
  ["a <x1-2>x", ["zsh"], []],
  ["a <1-2x>x", ["zsh"], []],
  ["a >1-2>x", ["zsh"], []],
  ["exec -a x y", ["posix", "bash", "zsh"], []],
  ["exec -c y", ["posix", "bash", "zsh"], []],
  ["exec -l y", ["posix", "bash", "zsh"], []],
  ["exec -a x y", ["sh"], [EXEC]],
  ["exec -x y", ["posix", "bash", "zsh", "sh"], [EXEC]],
  ["exec -ca x y", ["posix"], [EXEC]],
  ["x -x y", ["sh"], []],
  ["x a [[ b", ["posix", "sh"], [WORDS]],
  ["x a [[ b", ["bash", "zsh"], []],
  ["x a [[c b", ["posix", "sh"], []],
  ["[ a [[ b ]", ["sh"], [WORDS]],
  // Operators behind it are then words of a test, and not of another program.
  ["A=1 [[ b", ["posix", "sh"], []],
  ["b | time x= a", ["posix", "zsh"], [TIME]],
  ["b | time x= a", ["bash"], []],
  ["a=(b)", ["sh"], [COMMAND]],
  ["a[1]=b", ["sh"], [COMMAND, "arithmetic: 1"]],
  ["a+=b", ["sh"], [COMMAND]],
  ["a=b", ["sh", "posix"], []],
  ["a=(b)", ["posix", "zsh"], []],
  ["modules=(b)", ["sh"], [COMMAND]],
  ["modules=(b)", ["zsh", "posix"], [MODULES]],
  ["modules=(b)", ["bash"], []],
  ["modules=b", ["zsh"], []],
  ["test -t x", ["zsh", "posix"], ["arithmetic: x"]],
  ["test -t x", ["bash"], []],
  ["test -t 1", ["zsh"], []],
  ["test -u x", ["zsh"], []],
  ["[ -t x ]", ["zsh"], ["arithmetic: x"]],
  ["[ -t ]", ["zsh"], []],
  ["[ x ]", ["zsh"], []],
  ["test x", ["zsh"], []],
  ["read -t x y", ["zsh"], ["arithmetic: x"]],
  ["read -u x y", ["zsh"], ["arithmetic: x"]],
  ["read -p x y", ["zsh"], []],
  ["printf '%s %d' x y z", ["zsh"], ["arithmetic: y"]],
  ["printf '%s %d' x y z u", ["zsh"], ["arithmetic: y", "arithmetic: u"]],
  ["printf '%s %d' $x y z", ["zsh"], ["arithmetic: y", "arithmetic: z"]],
  ["printf '%s %s %d' x $y z u", ["zsh"], ["arithmetic: z", "arithmetic: u"]],
];

function unlikeIn(node: Node): readonly string[] {
  return node.kind === "pipe" || node.kind === "sequence" ? node.nodes.flatMap(unlikeIn) : [
    ...node.unknowns.map(({ why }) => why),
    ...node.arithmetic.map(({ text }) => `arithmetic: ${text}`),
  ];
}

test("what shells read differently is unknown to those that may run the line, and nothing else", () => {
  for (const [line, shells, unlike] of LINES) {
    for (const shell of shells) {
      const { node } = parseWithParser(line, { shell, printedKind: () => undefined });
      assert.deepEqual(unlikeIn(node!), unlike, `${shell}: ${line}`);
    }
  }
});

test("a subscript in braces before a redirection is one to every shell but sh", () => {
  for (const shell of ["posix", "bash", "zsh"] as const) {
    assert.ok(isSubscripted("{a[x]}", shell));
    assert.ok(isSubscripted("b {a[x]\\\n}\\\n", shell));
    assert.ok(!isSubscripted("{a}", shell) && !isSubscripted("{a[x]} ", shell));
  }
  assert.ok(!isSubscripted("{a[x]}", "sh"));
});
