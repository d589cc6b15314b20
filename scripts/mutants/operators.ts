import ts from "typescript";

/** One change of one place of a file, as text. */
export interface Change {
  /** The operator's name. */
  readonly operator: string;
  /** `choice`: an expression in place of another; `statement`: one that is left out; `case`: a label that nothing meets. */
  readonly kind: "choice" | "statement" | "case";
  /** The place, in UTF-16 code units. */
  readonly start: number;
  /** The end of the place. */
  readonly end: number;
  /** The text instead; empty for a statement and a case. */
  readonly text: string;
}

type Operator = (node: ts.Node, source: ts.SourceFile) => readonly Change[];

/** Binary operators and what stands in their place. */
const SWAPS: ReadonlyMap<ts.SyntaxKind, string> = new Map([
  [ts.SyntaxKind.EqualsEqualsEqualsToken, "!=="],
  [ts.SyntaxKind.ExclamationEqualsEqualsToken, "==="],
  [ts.SyntaxKind.LessThanToken, "<="],
  [ts.SyntaxKind.LessThanEqualsToken, "<"],
  [ts.SyntaxKind.GreaterThanToken, ">="],
  [ts.SyntaxKind.GreaterThanEqualsToken, ">"],
]);

const LOGICAL: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

const ACTIONS: Readonly<Record<string, string>> = { allow: "deny", deny: "ask", ask: "allow" };

/** Methods that are swapped for each other. */
const METHODS: Readonly<Record<string, string>> = {
  some: "every",
  every: "some",
  startsWith: "endsWith",
  endsWith: "startsWith",
  min: "max",
  max: "min",
};

/** Methods whose receiver stands in for the result. */
const DROPPED = ["filter", "trim", "toLowerCase", "toUpperCase", "toSorted", "toReversed"];

/** All changes of a node itself, without those of its children. */
export function changesOf(node: ts.Node, source: ts.SourceFile): readonly Change[] {
  return OPERATORS.flatMap((operator) => operator(node, source));
}

const OPERATORS: readonly Operator[] = [
  conditions,
  binaries,
  exits,
  calls,
  lists,
  literals,
  regexes,
  cases,
];

/** A choice in place of the node. */
function choice(node: ts.Node, operator: string, text: string): Change {
  return { operator, kind: "choice", start: node.getStart(), end: node.end, text };
}

function conditions(node: ts.Node): readonly Change[] {
  if (ts.isIfStatement(node)) return [negated(node.expression)];
  if (ts.isConditionalExpression(node)) return [negated(node.condition)];
  if (ts.isPrefixUnaryExpression(node) && node.operator === ts.SyntaxKind.ExclamationToken) {
    return [choice(node, "drop negation", node.operand.getText())];
  }
  return [];
}

function negated(condition: ts.Expression): Change {
  return choice(condition, "negate condition", `!(${condition.getText()})`);
}

function binaries(node: ts.Node): readonly Change[] {
  if (!ts.isBinaryExpression(node)) return [];
  const { left, operatorToken: { kind }, right } = node;
  const swapped = SWAPS.get(kind);
  if (swapped !== undefined) {
    const text = `${left.getText()} ${swapped} ${right.getText()}`;
    return [choice(node, "swap comparison", text)];
  }
  if (LOGICAL.has(kind)) {
    return [
      choice(node, "drop right side", left.getText()),
      choice(node, "drop left side", right.getText()),
    ];
  }
  if (kind === ts.SyntaxKind.PlusToken && ts.isNumericLiteral(right)) {
    return [choice(node, "swap sign", `${left.getText()} - ${right.text}`)];
  }
  if (kind === ts.SyntaxKind.MinusToken && ts.isNumericLiteral(right)) {
    return [choice(node, "swap sign", `${left.getText()} + ${right.text}`)];
  }
  return [];
}

/** An early exit that is left out, and a call for its effect. */
function exits(node: ts.Node): readonly Change[] {
  const leaves = ts.isIfStatement(node) && node.elseStatement === undefined &&
    isExit(node.thenStatement);
  const acts = ts.isExpressionStatement(node) &&
    (ts.isCallExpression(node.expression) || ts.isAwaitExpression(node.expression)) &&
    !node.expression.getText().startsWith("super(");
  if (!leaves && !acts) return [];
  const operator = leaves ? "drop early exit" : "drop call";
  return [{ operator, kind: "statement", start: node.getStart(), end: node.end, text: "" }];
}

function isExit(statement: ts.Statement): boolean {
  if (ts.isBlock(statement)) {
    const last = statement.statements.at(-1);
    return last !== undefined && isExit(last);
  }
  return ts.isReturnStatement(statement) || ts.isContinueStatement(statement) ||
    ts.isBreakStatement(statement) || ts.isThrowStatement(statement);
}

function calls(node: ts.Node): readonly Change[] {
  if (!ts.isCallExpression(node) || !ts.isPropertyAccessExpression(node.expression)) return [];
  const { expression, name, questionDotToken } = node.expression;
  const isChain = questionDotToken !== undefined || ts.isOptionalChain(node) ||
    ts.isPropertyAccessExpression(node.parent) || ts.isNonNullExpression(node.parent);
  const receiver = expression.getText();
  const other = METHODS[name.text];
  if (other !== undefined && !isChain) {
    const args = node.arguments.map((each) => each.getText()).join(", ");
    return [choice(node, "swap method", `${receiver}.${other}(${args})`)];
  }
  return DROPPED.includes(name.text) && !ts.isOptionalChain(node)
    ? [choice(node, "drop method", receiver)]
    : [];
}

function lists(node: ts.Node): readonly Change[] {
  if (!ts.isArrayLiteralExpression(node) || isTarget(node)) return [];
  if (node.elements.length < 2 && !ts.isSpreadElement(node.elements[0] ?? node)) return [];
  return node.elements.map((element) => ({
    ...choice(node, "drop element", ""),
    text: `[${
      node.elements.filter((each) => each !== element).map((each) => each.getText()).join(", ")
    }]`,
  }));
}

/** True if the list is what values are assigned to. */
function isTarget(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isBinaryExpression(parent)) {
    return parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken;
  }
  return ts.isForOfStatement(parent) && parent.initializer === node;
}

function literals(node: ts.Node): readonly Change[] {
  if (node.kind === ts.SyntaxKind.TrueKeyword) return [choice(node, "swap boolean", "false")];
  if (node.kind === ts.SyntaxKind.FalseKeyword) return [choice(node, "swap boolean", "true")];
  if (!ts.isNumericLiteral(node) && !ts.isStringLiteral(node) || !isValue(node)) return [];
  if (ts.isNumericLiteral(node)) {
    return [choice(node, "off by one", `${Number(node.text.replaceAll("_", "")) + 1}`)];
  }
  if (node.text === "") return [];
  const action = ACTIONS[node.text];
  if (action !== undefined) return [choice(node, "swap action", `"${action}"`)];
  return [choice(node, "empty string", '""')];
}

/** True if a literal is an expression: no name, no type, no label, no message of an error. */
function isValue(node: ts.Node): boolean {
  const { parent } = node;
  if (ts.isPropertyAssignment(parent)) return parent.initializer === node;
  if (ts.isBinaryExpression(parent)) return !LOGICAL.has(parent.operatorToken.kind);
  return NAMED.every((isOne) => !isOne(parent));
}

/** Parents below which a literal is left as it is. */
const NAMED: readonly ((node: ts.Node) => boolean)[] = [
  ts.isLiteralTypeNode,
  ts.isImportAttribute,
  ts.isCaseClause,
  ts.isNewExpression,
  ts.isExpressionStatement,
  ts.isPropertySignature,
  ts.isMethodDeclaration,
  ts.isBindingElement,
];

function regexes(node: ts.Node): readonly Change[] {
  if (!ts.isRegularExpressionLiteral(node)) return [];
  const end = node.text.lastIndexOf("/");
  const [body, flags] = [node.text.slice(1, end), node.text.slice(end + 1)];
  const found: [string, string, string][] = [...flags].map((flag) =>
    ["drop flag", body, flags.replace(flag, "")] as [string, string, string]
  );
  if (body.startsWith("^")) found.push(["drop anchor", body.slice(1), flags]);
  if (/[^\\]\$$/.test(body)) found.push(["drop anchor", body.slice(0, -1), flags]);
  return found.flatMap(([operator, text, set]) =>
    isRegex(text, set) ? [choice(node, operator, `/${text}/${set}`)] : []
  );
}

function isRegex(body: string, flags: string): boolean {
  try {
    return body !== "" && new RegExp(body, flags) instanceof RegExp;
  } catch {
    return false;
  }
}

function cases(node: ts.Node): readonly Change[] {
  if (!ts.isCaseClause(node)) return [];
  const { expression } = node;
  const place = { start: expression.getStart(), end: expression.end };
  return [{ operator: "drop case", kind: "case", ...place, text: "" }];
}
