import ts from "typescript";

/** A declaration of the top level of a module, or another statement of it. */
export interface Unit {
  readonly node: ts.Node;
  /** The name that it declares; undefined for several or none. */
  readonly name: string | undefined;
  /** The uses of names that the top level declares, without those of its own name. */
  readonly uses: readonly Use[];
}

/** One use of a name. */
export interface Use {
  readonly node: ts.Identifier;
  readonly name: string;
  /** True if it is in a function or in a property of what a class makes, so that nothing uses it while the module is loaded. */
  readonly isLater: boolean;
  /** True if it is called where it stands. */
  readonly isCall: boolean;
}

/** The parts of a module of JavaScript. */
export interface Units {
  readonly units: readonly Unit[];
  /** Names that something inside of a unit declares, too. */
  readonly inner: ReadonlySet<string>;
  /** Names that are given a value after their declaration. */
  readonly changed: ReadonlySet<string>;
  /** Names behind `new`. */
  readonly made: ReadonlySet<string>;
  /** The statements of variables. */
  readonly lists: readonly ts.VariableStatement[];
}

/** Takes a module apart into its units. */
export function unitsOf(text: string): Units {
  const source = ts.createSourceFile(
    "all.js",
    text,
    ts.ScriptTarget.Latest,
    true,
    ts.ScriptKind.JS,
  );
  const lists = source.statements.filter((each) => ts.isVariableStatement(each));
  const nodes = source.statements.flatMap((each): readonly ts.Node[] =>
    ts.isVariableStatement(each) ? each.declarationList.declarations : [each]
  );
  const names = new Map(nodes.map((node) => [node, nameOf(node)]));
  const declared = new Set([...names.values()].filter((name) => name !== undefined));
  const inner = new Set<string>();
  const changed = new Set<string>();
  const made = new Set<string>();
  const units = nodes.map((node) => {
    const uses: Use[] = [];
    const name = names.get(node);
    visit(node, { uses, declared, inner, changed, made, unit: node, isLater: false });
    return { node, name, uses: uses.filter((use) => use.name !== name) };
  });
  return { units, inner, changed, made, lists };
}

function nameOf(node: ts.Node): string | undefined {
  const isNamed = ts.isFunctionDeclaration(node) || ts.isClassDeclaration(node) ||
    ts.isVariableDeclaration(node);
  return isNamed && node.name !== undefined && ts.isIdentifier(node.name)
    ? node.name.text
    : undefined;
}

interface Visit {
  readonly uses: Use[];
  readonly declared: ReadonlySet<string>;
  readonly inner: Set<string>;
  readonly changed: Set<string>;
  readonly made: Set<string>;
  readonly unit: ts.Node;
  readonly isLater: boolean;
}

function visit(node: ts.Node, all: Visit): void {
  const own = all.isLater || !isLater(node) ? all : { ...all, isLater: true };
  if (ts.isIdentifier(node)) return visitName(node, own);
  ts.forEachChild(node, (child) => visit(child, own));
}

/** True for what runs when a function is called or an object is made. */
function isLater(node: ts.Node): boolean {
  if (ts.isPropertyDeclaration(node.parent)) {
    return node.parent.initializer === node && node.parent.modifiers === undefined;
  }
  return ts.isFunctionLike(node.parent) && node.parent.name !== node;
}

function visitName(
  node: ts.Identifier,
  { uses, declared, inner, changed, made, unit, isLater }: Visit,
): void {
  const { parent } = node;
  if (isProperty(node)) return;
  const name = node.text;
  if (!declared.has(name)) return;
  if ("name" in parent && parent.name === node && !ts.isShorthandPropertyAssignment(parent)) {
    // An export without "as" has a name, too.
    if (!ts.isExportSpecifier(parent)) return void (parent === unit || inner.add(name));
  }
  if (ts.isNewExpression(parent) && parent.expression === node) made.add(name);
  if (isTarget(node)) changed.add(name);
  const isCall = ts.isCallExpression(parent) && parent.expression === node;
  uses.push({ node, name, isLater, isCall });
}

/** True for an identifier that stands for a property, not for what a scope has. */
function isProperty(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent) || ts.isMetaProperty(parent)) {
    return parent.name === node;
  }
  if (ts.isBindingElement(parent)) return parent.propertyName === node;
  if (ts.isExportSpecifier(parent)) {
    return parent.propertyName !== undefined && parent.name === node;
  }
  return (ts.isPropertyAssignment(parent) || ts.isClassElement(parent)) && parent.name === node ||
    ts.isLabeledStatement(parent) || ts.isBreakOrContinueStatement(parent);
}

/** True if the identifier may be given a value where it stands. */
function isTarget(node: ts.Identifier): boolean {
  let at: ts.Node = node;
  // The targets of a destructuring look like values.
  while (
    ts.isArrayLiteralExpression(at.parent) || ts.isObjectLiteralExpression(at.parent) ||
    ts.isPropertyAssignment(at.parent) || ts.isShorthandPropertyAssignment(at.parent) ||
    ts.isSpreadElement(at.parent) || ts.isSpreadAssignment(at.parent) ||
    ts.isParenthesizedExpression(at.parent)
  ) at = at.parent;
  const { parent } = at;
  if (ts.isBinaryExpression(parent)) {
    const { kind } = parent.operatorToken;
    return parent.left === at && kind >= ts.SyntaxKind.FirstAssignment &&
      kind <= ts.SyntaxKind.LastAssignment;
  }
  if (ts.isForOfStatement(parent) || ts.isForInStatement(parent)) return parent.initializer === at;
  return ts.isPrefixUnaryExpression(parent) && parent.operator >= ts.SyntaxKind.PlusPlusToken &&
      parent.operator <= ts.SyntaxKind.MinusMinusToken || ts.isPostfixUnaryExpression(parent);
}
