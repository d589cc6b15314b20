import type { ExpansionReader } from "./expansions.ts";
import type { LineParser } from "./parse_with_parser.ts";
import { redirectsOf } from "./parse_command.ts";
import type { CompoundList, SyntaxNode, TestExpression, WordSyntax } from "./unbash.ts";
import { mayBeZsh } from "./shell.ts";
import type { Block, Node } from "./tree.ts";
import { TWO_WAYS } from "./word_differences.ts";

interface BlockParts {
  readonly reader: ExpansionReader;
  readonly line: LineParser;
  readonly nodes: Node[];
}

type Head = Pick<Block, "name" | "runs"> & Partial<Pick<Block, "sets">>;

export function compoundNode(syntax: SyntaxNode, line: LineParser): Block {
  const reader = line.expansionReader();
  const nodes: Node[] = [];
  let redirects: Block["redirects"] = [];
  let inner = syntax;
  if (syntax.type === "Redirected") {
    inner = syntax.command;
    redirects = redirectsOf(syntax.redirects, { reader, line });
  }
  const head = headOf(inner, { reader, line, nodes });
  if (line.source.startsWith("((", inner.pos) && inner.type === "Subshell") {
    reader.addUnknown(line.source.slice(inner.pos, inner.end), TWO_WAYS);
  }
  if (line.shell === "sh" && isBashOnly(inner, line.source)) {
    reader.addUnknown(line.source.slice(inner.pos, inner.end), "sh reads it differently from bash");
  }
  const text = line.source.slice(syntax.pos, syntax.end);
  return { kind: "block", text, nodes, redirects, ...head, ...reader.expansions };
}

function headOf(syntax: SyntaxNode, parts: BlockParts): Head {
  const { reader, line, nodes } = parts;
  const add = (list: CompoundList) => {
    const node = line.statements(list.commands);
    if (node) nodes.push(node);
  };
  const word = (each: WordSyntax) => {
    line.markRead(each.pos, each.end);
    return reader.word(each);
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
      line.markRead(syntax.name.pos, syntax.name.end);
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
      return otherHead(syntax, parts);
  }
}

/** True for compound commands that POSIX does not have. */
function isBashOnly({ type, pos }: SyntaxNode, source: string): boolean {
  return type === "ArithmeticCommand" || type === "ArithmeticFor" || type === "TestCommand" ||
    type === "Select" || type === "Function" && source.startsWith("function", pos);
}

function otherHead(syntax: SyntaxNode, { reader, line, nodes }: BlockParts): Head {
  switch (syntax.type) {
    case "ArithmeticFor":
      line.markRead(syntax.pos, syntax.body.pos);
      for (const part of [syntax.initialize, syntax.test, syntax.update]) {
        if (part) reader.arithmetic(line.source.slice(part.pos, part.end), part);
      }
      nodes.push(...[line.statements(syntax.body.commands)].filter((node) => node !== undefined));
      return { name: "for", runs: "often" };
    case "ArithmeticCommand":
      line.markRead(syntax.pos, syntax.end);
      reader.arithmetic(syntax.body, syntax.expression);
      return { name: "(( ))", runs: "once" };
    case "TestCommand":
      readTest(syntax.expression, { reader, line, nodes });
      return { name: "[[ ]]", runs: "once" };
    case "Function":
      line.definesFunctions = true;
      line.markRead(syntax.name.pos, syntax.name.end);
      nodes.push(bodyNode(syntax.body, line));
      return { name: `function ${syntax.name.text}`, runs: "some" };
    case "Coproc":
      if (syntax.name) line.markRead(syntax.name.pos, syntax.name.end);
      nodes.push(bodyNode(syntax.body, line));
      reader.addUnknown(
        line.source.slice(syntax.pos, syntax.end),
        "a coprocess can receive input later",
      );
      return { name: "coproc", runs: "own" };
    default:
      line.fail(`it has an unknown construct: ${syntax.type}`);
      return { name: syntax.type, runs: "some" };
  }
}

function bodyNode(body: SyntaxNode, line: LineParser): Node {
  if (body.type !== "CompoundList") return line.node(body);
  return line.statements(body.commands) ?? { kind: "sequence", nodes: [], operators: [] };
}

/** Operators of `[[ ]]` whose operands are arithmetic. */
const ARITHMETIC = new Set(["-eq", "-ne", "-lt", "-le", "-gt", "-ge"]);

function readTest(test: TestExpression, parts: BlockParts): void {
  const { reader, line } = parts;
  switch (test.type) {
    case "TestUnary": {
      line.markRead(test.pos, test.end);
      // -v and -R take a name with a subscript, -t a number.
      const counts = /^-[vR]$/.test(test.operator) ||
        test.operator === "-t" && mayBeZsh(reader.shell);
      if (counts) reader.arithmeticWord(test.operand);
      else reader.word(test.operand);
      return;
    }
    case "TestBinary": {
      line.markRead(test.pos, test.end);
      const arithmetic = ARITHMETIC.has(test.operator);
      reader.isRegex = test.operator === "=~";
      for (const word of [test.left, test.right]) {
        if (arithmetic) reader.arithmeticWord(word);
        else reader.word(word);
      }
      reader.isRegex = false;
      return;
    }
    case "TestLogical":
      for (const operand of test.operands) readTest(operand, parts);
      return;
    case "TestNot":
      return readTest(test.operand, parts);
    case "TestGroup":
      return readTest(test.expression, parts);
  }
}
