import ts from "typescript";

/**
 * The text of a module of the source with private methods made plain ones, named after their class: V8 compiles a private method when it is
 * called first, in each process, and no mark of the text changes that. The types have been checked before, and the names are of no other class.
 * Throws Error where such a name is taken.
 */
export function withOpenMethods(text: string): string {
  if (!/#\w+\(/.test(text)) return text;
  const taken = /\b__[A-Z]\w*_\w+/.exec(text)?.[0];
  if (taken !== undefined) {
    throw new Error(`Cannot open private methods: the name "${taken}" is taken`);
  }
  const source = ts.createSourceFile("all.ts", text, ts.ScriptTarget.Latest, true);
  const edits: { readonly start: number; readonly end: number; readonly name: string }[] = [];
  const visit = (node: ts.Node, open: ReadonlyMap<string, string>): void => {
    if (ts.isPrivateIdentifier(node)) {
      const name = open.get(node.text);
      if (name !== undefined) edits.push({ start: node.getStart(), end: node.end, name });
    }
    const own = ts.isClassLike(node) ? new Map([...open, ...openNames(node)]) : open;
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(source, new Map());
  return edits.toReversed().reduce(
    (each, { start, end, name }) => each.slice(0, start) + name + each.slice(end),
    text,
  );
}

/** The names of the private members of a class, for its methods plain ones; none for a class without a name. */
function openNames(node: ts.ClassLikeDeclaration): readonly (readonly [string, string])[] {
  return node.members.flatMap((each) => {
    if (each.name === undefined || !ts.isPrivateIdentifier(each.name)) return [];
    const { text } = each.name;
    const isOpen = ts.isMethodDeclaration(each) && node.name !== undefined;
    return [[text, isOpen ? `__${node.name.text}_${text.slice(1)}` : text] as const];
  });
}
