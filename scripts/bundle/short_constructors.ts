import ts from "typescript";

/** The fewest characters of a body that is moved: a tiny constructor is compiled still, which takes as long as a shorter one. */
const FEWEST = 150;

/**
 * The text of a module of the source in which long constructors do no more than call a method, named after the class, that has their parameters and
 * body: V8 compiles a constructor when it is called first, in each process, and no mark of the text changes that. The types have been checked
 * before. Throws Error where such a name is taken.
 */
export function withShortConstructors(text: string): string {
  if (!/\bconstructor\(/.test(text)) return text;
  const source = ts.createSourceFile("all.ts", text, ts.ScriptTarget.Latest, true);
  const edits: { readonly start: number; readonly end: number; readonly text: string }[] = [];
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit);
    if (!ts.isConstructorDeclaration(node) || !isMovable(node)) return;
    const name = `__${node.parent.name!.text}_constructor`;
    if (text.includes(name)) {
      throw new Error(`Cannot shorten constructors: the name "${name}" is taken`);
    }
    const names = node.parameters.map((_, index) => `of${index}`).join(", ");
    const short = `constructor(${names}) { this.${name}(${names}); } ${name}`;
    const start = node.getStart();
    edits.push({ start, end: start + "constructor".length, text: short });
  };
  visit(source);
  return edits.toSorted((one, other) => other.start - one.start).reduce(
    (each, { start, end, text }) => each.slice(0, start) + text + each.slice(end),
    text,
  );
}

/** True for a long constructor that does as a method what it does now. */
function isMovable({ parent, parameters, body }: ts.ConstructorDeclaration): boolean {
  if (body === undefined || body.getText().replace(/\s+/g, " ").length < FEWEST) return false;
  const heritage = parent.heritageClauses ?? [];
  if (parent.name === undefined || heritage.some(isExtends)) return false;
  if (parent.members.filter((each) => ts.isConstructorDeclaration(each)).length > 1) return false;
  const arePlain = parameters.every(({ dotDotDotToken, modifiers }) => {
    return dotDotDotToken === undefined && modifiers === undefined;
  });
  return arePlain && ![...parameters, body].some(isConstructors);
}

function isExtends({ token }: ts.HeritageClause): boolean {
  return token === ts.SyntaxKind.ExtendsKeyword;
}

/** True if the node has something that means another thing in a method: `new.target`, `arguments`, or a value that is returned. */
function isConstructors(node: ts.Node): boolean {
  if (ts.isMetaProperty(node)) return true;
  if (ts.isIdentifier(node) && node.text === "arguments") return true;
  if (ts.isReturnStatement(node) && node.expression !== undefined) return true;
  return ts.forEachChild(node, isConstructors) === true;
}
