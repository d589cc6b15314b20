import type { ContentsReader } from "./contents.ts";
import type { LineReader } from "./parse_line.ts";
import { redirectsOf } from "./parse_command.ts";
import type { CompoundList, SyntaxNode, TestExpression, WordSyntax } from "./syntax.ts";
import type { Block, Node } from "./tree.ts";

interface Reading {
  readonly contents: ContentsReader;
  readonly line: LineReader;
  readonly nodes: Node[];
}

type Head = Pick<Block, "name" | "runs"> & Partial<Pick<Block, "sets">>;

/** A compound command as plain data. */
export function compoundNode(syntax: SyntaxNode, line: LineReader): Block {
  const contents = line.contents();
  const nodes: Node[] = [];
  let redirects: Block["redirects"] = [];
  let inner = syntax;
  if (syntax.type === "Redirected") {
    inner = syntax.command;
    redirects = redirectsOf(syntax.redirects, { contents, line });
  }
  const head = headOf(inner, { contents, line, nodes });
  const text = line.source.slice(syntax.pos, syntax.end);
  return { kind: "block", text, nodes, redirects, ...head, ...contents.contents };
}

function headOf(syntax: SyntaxNode, reading: Reading): Head {
  const { contents, line, nodes } = reading;
  const add = (list: CompoundList) => {
    const node = line.statements(list.commands);
    if (node) nodes.push(node);
  };
  const word = (each: WordSyntax) => {
    line.leaf(each.pos, each.end);
    return contents.word(each);
  };
  switch (syntax.type) {
    case "Subshell":
      add(syntax.body);
      return { name: "( )", runs: "own" };
    case "BraceGroup":
      add(syntax.body);
      return { name: "{ }", runs: "once" };
    case "If":
      for (const list of [syntax.clause, syntax.then]) add(list);
      for (const { clause, then } of syntax.elif) [clause, then].forEach(add);
      if (syntax.else) add(syntax.else);
      return { name: "if", runs: "some" };
    case "While":
      [syntax.clause, syntax.body].forEach(add);
      return { name: syntax.kind, runs: "often" };
    case "For":
    case "Select": {
      line.leaf(syntax.name.pos, syntax.name.end);
      const words = syntax.wordlist?.map(word);
      add(syntax.body);
      const sets = { name: syntax.name.value, ...(words ? { words } : {}) };
      return { name: syntax.type === "For" ? "for" : "select", runs: "often", sets };
    }
    case "Case":
      word(syntax.word);
      for (const item of syntax.items) {
        item.pattern.forEach(word);
        add(item.body);
      }
      return { name: "case", runs: "some" };
    default:
      return otherHead(syntax, reading);
  }
}

function otherHead(syntax: SyntaxNode, { contents, line, nodes }: Reading): Head {
  switch (syntax.type) {
    case "ArithmeticFor":
      line.leaf(syntax.pos, syntax.body.pos);
      for (const part of [syntax.initialize, syntax.test, syntax.update]) {
        if (part) contents.arithmetic(line.source.slice(part.pos, part.end), part);
      }
      nodes.push(...[line.statements(syntax.body.commands)].filter((node) => node !== undefined));
      return { name: "for", runs: "often" };
    case "ArithmeticCommand":
      line.leaf(syntax.pos, syntax.end);
      contents.arithmetic(syntax.body, syntax.expression);
      return { name: "(( ))", runs: "once" };
    case "TestCommand":
      readTest(syntax.expression, { contents, line, nodes });
      return { name: "[[ ]]", runs: "once" };
    case "Function":
      line.leaf(syntax.name.pos, syntax.name.end);
      nodes.push(bodyNode(syntax.body, line));
      return { name: `function ${syntax.name.text}`, runs: "some" };
    case "Coproc":
      if (syntax.name) line.leaf(syntax.name.pos, syntax.name.end);
      nodes.push(bodyNode(syntax.body, line));
      contents.addUnknown(
        line.source.slice(syntax.pos, syntax.end),
        "a coprocess can be fed later",
      );
      return { name: "coproc", runs: "own" };
    default:
      line.fail(`it has a construct that is not known: ${syntax.type}`);
      return { name: syntax.type, runs: "some" };
  }
}

function bodyNode(body: SyntaxNode, line: LineReader): Node {
  if (body.type !== "CompoundList") return line.node(body);
  return line.statements(body.commands) ?? { kind: "sequence", nodes: [], operators: [] };
}

/** Operators of `[[ ]]` whose operands are arithmetic. */
const ARITHMETIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

function readTest(test: TestExpression, reading: Reading): void {
  const { contents, line } = reading;
  switch (test.type) {
    case "TestUnary":
      line.leaf(test.pos, test.end);
      // -v and -R take a name with a subscript, -t a number.
      if (test.operator === "-v" || test.operator === "-R") contents.arithmeticWord(test.operand);
      else contents.word(test.operand);
      return;
    case "TestBinary": {
      line.leaf(test.pos, test.end);
      const arithmetic = ARITHMETIC.has(test.operator);
      contents.isRegex = test.operator === "=~";
      for (const word of [test.left, test.right]) {
        if (arithmetic) contents.arithmeticWord(word);
        else contents.word(word);
      }
      contents.isRegex = false;
      return;
    }
    case "TestLogical":
      for (const operand of test.operands) readTest(operand, reading);
      return;
    case "TestNot":
      return readTest(test.operand, reading);
    case "TestGroup":
      return readTest(test.expression, reading);
  }
}
