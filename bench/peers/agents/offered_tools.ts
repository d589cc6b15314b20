// The tools that an agent offers its model, with the fields of their inputs: from the schemas of its requests, from the answers of a
// tool that finds further ones, and from the types that its package publishes.
import ts from "typescript";
import type { OfferedTool } from "../model/script.ts";

/** The names of the fields of each tool, sorted; those below an object, or objects in a list, are dotted. */
export type OfferedFields = ReadonlyMap<string, readonly string[]>;

/** The fields of tools by their JSON Schemas. */
export function fieldsOf(tools: Iterable<OfferedTool>): OfferedFields {
  return new Map([...tools].map(({ name, schema }) => [name, sorted(schemaFields(schema))]));
}

/** The tools in the answers of a tool that finds others, where an answer has each as JSON in a mark `function`. */
export function toolsIn(answers: readonly string[]): readonly OfferedTool[] {
  return answers.flatMap((answer) =>
    textsIn(answer).flatMap((text) =>
      [...text.matchAll(/<function>(.*?)<\/function>/gs)].map(([, json]) => {
        const { name, parametersJsonSchema: schema } = JSON.parse(json!);
        return { name, schema };
      })
    )
  );
}

/** An answer, or the texts in it where it is a list of parts. */
function textsIn(answer: string): readonly string[] {
  try {
    return (JSON.parse(answer) as readonly { readonly text?: string }[]).map(({ text }) =>
      text ?? ""
    );
  } catch {
    return [answer];
  }
}

function schemaFields(schema: unknown, above = ""): readonly string[] {
  if (typeof schema !== "object" || schema === null) return [];
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = schema as {
    readonly properties?: Readonly<Record<string, unknown>>;
    readonly items?: unknown;
    readonly anyOf?: readonly unknown[];
    readonly oneOf?: readonly unknown[];
    readonly allOf?: readonly unknown[];
  };
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => [
      above + name,
      ...schemaFields(inner, `${above}${name}.`),
    ]),
    ...[items, ...anyOf, ...oneOf, ...allOf].flatMap((each) => schemaFields(each, above)),
  ];
}

/** The fields of the interfaces `…Input` in a file of types, by the names before `Input`. */
export function fieldsInTypes(text: string): OfferedFields {
  const file = ts.createSourceFile("types.d.ts", text, ts.ScriptTarget.Latest);
  return new Map(
    file.statements.filter(ts.isInterfaceDeclaration)
      .filter(({ name }) => /.Input$/.test(name.text))
      .map(({ name, members }) => [
        name.text.replace(/Input$/, ""),
        sorted(members.flatMap((member) => memberFields(member, ""))),
      ]),
  );
}

function memberFields(member: ts.TypeElement, above: string): readonly string[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [];
  const { name, type } = member;
  if (!ts.isIdentifier(name) && !ts.isStringLiteral(name)) return [];
  return [above + name.text, ...typeFields(type, `${above}${name.text}.`)];
}

function typeFields(type: ts.Node, above: string): readonly string[] {
  if (ts.isTypeLiteralNode(type)) {
    return type.members.flatMap((member) => memberFields(member, above));
  }
  const found: string[] = [];
  ts.forEachChild(type, (inner) => {
    found.push(...typeFields(inner, above));
  });
  return found;
}

function sorted(fields: readonly string[]): readonly string[] {
  return [...new Set(fields)].toSorted();
}
