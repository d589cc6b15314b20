import { errorAt, type Problem, quoted, type Span } from "../model/problem.ts";

/** A value in a JSON text, with its place. */
export type JsonNode =
  | JsonObjectNode
  | JsonArrayNode
  | { readonly type: "string"; readonly span: Span; readonly value: string }
  | { readonly type: "boolean"; readonly span: Span; readonly value: boolean }
  | { readonly type: "number"; readonly span: Span; readonly value: number }
  | { readonly type: "null"; readonly span: Span };

export interface JsonObjectNode {
  /** The kind of node. */
  readonly type: "object";
  /** Its place, braces included. */
  readonly span: Span;
  /** Its members in the order of the text, duplicates included. */
  readonly members: readonly JsonMember[];
}

export interface JsonArrayNode {
  /** The kind of node. */
  readonly type: "array";
  /** Its place, brackets included. */
  readonly span: Span;
  /** Its elements in the order of the text. */
  readonly elements: readonly JsonNode[];
}

/** A member of an object. */
export interface JsonMember {
  /** Its name, escapes undone. */
  readonly name: string;
  /** The place of the name, quotes included. */
  readonly key: Span;
  readonly value: JsonNode;
}

/** A problem for each key that its object has already, in the order of the text. */
export function duplicateKeys(node: JsonNode): readonly Problem[] {
  if (node.type === "array") return node.elements.flatMap(duplicateKeys);
  if (node.type !== "object") return [];
  const seen = new Set<string>();
  return node.members.flatMap(({ name, key, value }) => {
    const message = `Cannot read key ${quoted(name)}: it appears twice, and only one would count`;
    const own = seen.has(name) ? [errorAt(key, { id: "json-syntax", message })] : [];
    seen.add(name);
    return [...own, ...duplicateKeys(value)];
  });
}

/** The last member of that name, as parsers read it; undefined without one, and for a value that is no object. */
export function memberOf(node: JsonNode | undefined, name: string): JsonMember | undefined {
  return node?.type === "object"
    ? node.members.findLast((member) => member.name === name)
    : undefined;
}

/** The value as `JSON.parse` makes it. */
export function jsonValue(node: JsonNode): unknown {
  switch (node.type) {
    case "object":
      return Object.fromEntries(node.members.map(({ name, value }) => [name, jsonValue(value)]));
    case "array":
      return node.elements.map(jsonValue);
    case "null":
      return null;
    default:
      return node.value;
  }
}

/** A member for a message, nested values cut: `hooks: {…}`. */
export function shown({ name, value }: JsonMember): string {
  return `${name}: ${valueText(value)}`;
}

function valueText(node: JsonNode): string {
  if (node.type === "object") return "{…}";
  return node.type === "array" ? "[…]" : JSON.stringify(jsonValue(node));
}
