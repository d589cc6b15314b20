import { parse, type ValueNode } from "@humanwhocodes/momoa";
import type { Span } from "../model/place.ts";
import type { Problem } from "../model/problem.ts";
import { errorAt, quoted } from "./problems.ts";
import { type SpanBetween, spansOf } from "./text_places.ts";

/** A value in a JSON text with comments, and where it stands there. */
export type JsonNode =
  | { readonly type: "object"; readonly span: Span; readonly members: readonly JsonMember[] }
  | { readonly type: "array"; readonly span: Span; readonly items: readonly JsonNode[] }
  | { readonly type: "string"; readonly span: Span; readonly value: string }
  | { readonly type: "boolean"; readonly span: Span; readonly value: boolean }
  | { readonly type: "number"; readonly span: Span; readonly value: number }
  | { readonly type: "null"; readonly span: Span };

/** A member of an object. */
export interface JsonMember {
  /** Its name. */
  readonly name: string;
  /** Where the name stands, quotes included. */
  readonly key: Span;
  /** Its value. */
  readonly value: JsonNode;
}

/** A JSON text, read. */
export interface JsonDocument {
  /** Its value; an empty object where the text is no JSON. */
  readonly root: JsonNode;
  /** Why the text is no JSON; names that stand twice in an object are among it. */
  readonly problems: readonly Problem[];
}

/** The longest text that is read, in UTF-16 code units. */
const LONGEST = 8 * 1024 * 1024;
const MAX_DEPTH = 64;

/** Reads JSON with comments and final commas, as settings files of editors and agents are. Total. */
export function parseJsonc(text: string): JsonDocument {
  const spanOf = spansOf(text);
  const empty = { type: "object", span: spanOf(0, 0), members: [] } as const;
  const fail = (message: string, span: Span, id: Problem["id"] = "json-syntax") => ({
    root: empty,
    problems: [errorAt(span, { id, message: `Cannot read the file as JSON: ${message}` })],
  });
  if (text.length > LONGEST) {
    return fail(`it has more than ${LONGEST} characters`, spanOf(0, 0), "too-large");
  }
  const deep = tooDeep(text);
  if (deep !== undefined) {
    return fail(`it is nested more than ${MAX_DEPTH} deep`, spanOf(deep, deep + 1), "too-large");
  }
  try {
    const problems: Problem[] = [];
    const { body } = parse(text, { mode: "jsonc", allowTrailingCommas: true });
    return { root: nodeOf(body, { spanOf, problems }), problems };
  } catch (error) {
    if (!(error instanceof Error) || !("offset" in error)) throw error;
    const offset = typeof error.offset === "number" ? Math.min(error.offset, text.length) : 0;
    const detail = error.message.replace(/ \(\d+:\d+\)$/, "").replace(/\.$/, "");
    return fail(detail.charAt(0).toLowerCase() + detail.slice(1), spanOf(offset, offset + 1));
  }
}

interface Walk {
  readonly spanOf: SpanBetween;
  readonly problems: Problem[];
}

function nodeOf(node: ValueNode, walk: Walk): JsonNode {
  const span = walk.spanOf(node.loc.start.offset, node.loc.end.offset);
  switch (node.type) {
    case "Object":
      return { type: "object", span, members: membersOf(node, walk) };
    case "Array":
      return { type: "array", span, items: node.elements.map(({ value }) => nodeOf(value, walk)) };
    case "String":
      return { type: "string", span, value: node.value };
    case "Boolean":
      return { type: "boolean", span, value: node.value };
    case "Number":
      return { type: "number", span, value: node.value };
    case "Null":
    case "NaN":
    case "Infinity":
      return { type: "null", span };
  }
}

function membersOf(
  node: Extract<ValueNode, { type: "Object" }>,
  walk: Walk,
): readonly JsonMember[] {
  const seen = new Set<string>();
  return node.members.map(({ name: key, value }) => {
    const name = key.type === "String" ? key.value : key.name;
    const place = walk.spanOf(key.loc.start.offset, key.loc.end.offset);
    if (seen.has(name)) {
      const message = `Cannot read key ${quoted(name)}: it stands twice, and only one would count`;
      walk.problems.push(errorAt(place, { id: "json-syntax", message }));
    }
    seen.add(name);
    return { name, key: place, value: nodeOf(value, walk) };
  });
}

/** Where the text goes deeper than is read; the parser would run out of stack. */
function tooDeep(text: string): number | undefined {
  let depth = 0;
  for (
    const { 0: token, index } of text.matchAll(
      /"(?:[^"\\\n]|\\.)*"|\/\/[^\n]*|\/\*[^]*?\*\/|[{}[\]]/g,
    )
  ) {
    if (token === "{" || token === "[") depth++;
    else if (token === "}" || token === "]") depth = Math.max(0, depth - 1);
    if (depth > MAX_DEPTH) return index;
  }
  return undefined;
}

/** The member of that name; undefined where there is none, and where the value is no object. */
export function memberOf(node: JsonNode | undefined, name: string): JsonMember | undefined {
  return node?.type === "object" ? node.members.find((member) => member.name === name) : undefined;
}

/** A member as it is shown in a loss. */
export function shown({ name, value }: JsonMember): string {
  return `${name}: ${valueText(value)}`;
}

function valueText(value: JsonNode): string {
  switch (value.type) {
    case "object":
      return "{…}";
    case "array":
      return "[…]";
    case "null":
      return "null";
    default:
      return JSON.stringify(value.value);
  }
}
