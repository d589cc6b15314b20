import { readJson } from "../../text/json.ts";
import {
  type JsonArrayNode,
  type JsonMember,
  type JsonNode,
  type JsonObjectNode,
  memberOf,
} from "../../text/json_node.ts";
import { applySplices, cut, type Splice } from "../../text/splice.ts";
import { SettingsFault } from "./agent_settings.ts";

/** A value of JSON that is written into a text. */
export type JsonValue = string | number | boolean | object;

/** Parses JSON with comments and trailing commas; its value must be an object. Throws SettingsFault. */
export function parseObject(text: string): JsonObjectNode {
  const read = readJson(text, { syntax: "jsonc" });
  if (!read.ok) throw new SettingsFault("it is not valid JSON", read.problem.span);
  if (read.root.type === "object") return read.root;
  throw new SettingsFault("it is not a JSON object", read.root.span);
}

/** Offsets of the first character and behind the last. */
type Range = Readonly<Record<"start" | "end", number>>;

/** From the name of a member to the end of its value. */
function memberRange({ key, value }: JsonMember): Range {
  return { start: key.start, end: value.span.end };
}

/** The text with a value at the end of the list at `path`; missing objects and a missing list are added. */
export function withElement(text: string, path: readonly string[], value: JsonValue): string {
  const root = parseObject(text);
  let container: JsonObjectNode = root;
  for (const [index, name] of path.entries()) {
    const found = memberOf(container, name)?.value;
    const isLast = index === path.length - 1;
    if (found === undefined) {
      const rest = path.slice(index + 1).reduceRight<JsonValue>(
        (inner, key) => ({ [key]: inner }),
        [value],
      );
      return withInner(text, container, `${JSON.stringify(name)}: `, rest);
    }
    if (isLast && found.type === "array") return withInner(text, found, "", value);
    if (isLast || found.type !== "object") throw wrongType(found, path.slice(0, index + 1));
    container = found;
  }
  return text;
}

/** The text with a member in its outermost object, unless that has one of the name. */
export function withMember(text: string, name: string, value: JsonValue): string {
  return withMemberAt(text, [name], value);
}

/** The text with a member behind some names, unless there is one; missing objects are added. Throws SettingsFault. */
export function withMemberAt(text: string, path: readonly string[], value: JsonValue): string {
  let container: JsonObjectNode = parseObject(text);
  for (const [index, name] of path.entries()) {
    const found = memberOf(container, name)?.value;
    if (found === undefined) {
      const rest = path.slice(index + 1)
        .reduceRight<JsonValue>((inner, key) => ({ [key]: inner }), value);
      return withInner(text, container, `${JSON.stringify(name)}: `, rest);
    }
    if (index === path.length - 1) return text;
    if (found.type !== "object") throw wrongType(found, path.slice(0, index + 1));
    container = found;
  }
  return text;
}

function wrongType(found: JsonNode, path: readonly string[]): SettingsFault {
  return new SettingsFault(`"${path.join(".")}" has the wrong type`, found.span);
}

/** Appends to an object or list, without a change to the rest, comments included. */
function withInner(
  text: string,
  container: JsonObjectNode | JsonArrayNode,
  key: string,
  value: JsonValue,
): string {
  const { start, end } = container.span;
  const inner: readonly Range[] = container.type === "object"
    ? container.members.map(memberRange)
    : container.elements.map(({ span }) => span);
  const last = inner.at(-1);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, start);
  const unit = unitOf(text);
  const own = last !== undefined && isFirstOfLine(text, last.start)
    ? indentAt(text, last.start)
    : outer + unit;
  const written = JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${own}`);
  const close = end - 1;
  const blank = text.slice(0, close).search(/\s*$/);
  const splices: Splice[] = [];
  if (last !== undefined && !hasComma(text, last.end)) {
    splices.push({ start: last.end, end: last.end, text: "," });
  }
  const tail = text.slice(blank, close).includes("\n")
    ? text.slice(blank, close)
    : `${eol}${outer}`;
  splices.push({ start: blank, end: close, text: `${eol}${own}${key}${written}${tail}` });
  return applySplices(text, splices);
}

/** The text without the element at `index` of the list at `path`, and without objects and lists that are empty then. */
export function withoutElement(text: string, path: readonly string[], index: number): string {
  const chain: JsonObjectNode[] = [];
  let node: JsonNode = parseObject(text);
  for (const name of path) {
    if (node.type !== "object") return text;
    chain.push(node);
    const next: JsonNode | undefined = memberOf(node, name)?.value;
    if (next === undefined) return text;
    node = next;
  }
  if (node.type !== "array") return text;
  if (node.elements.length > 1) {
    return withoutOne(
      text,
      node.elements.map(({ span }) => span),
      index,
    );
  }
  for (const [depth, object] of [...chain.entries()].reverse()) {
    if (object.members.length > 1 || depth === 0) {
      const at = object.members.findLastIndex(({ name }) => name === path[depth]);
      return withoutOne(text, object.members.map(memberRange), at);
    }
  }
  return text;
}

/** The text without an element of a list that an element of the list at `path` has as a member. */
export function withoutInner(
  text: string,
  path: readonly string[],
  [index, name, inner]: readonly [index: number, name: string, inner: number],
): string {
  const list = path.reduce<JsonNode | undefined>(
    (node, key) => memberOf(node, key)?.value,
    parseObject(text),
  );
  const element = list?.type === "array" ? list.elements[index] : undefined;
  const found = memberOf(element, name)?.value;
  if (found?.type !== "array") return text;
  return withoutOne(text, found.elements.map(({ span }) => span), inner);
}

function withoutOne(text: string, ranges: readonly Range[], index: number): string {
  const own = ranges[index];
  if (own === undefined) return text;
  const [before, after] = [ranges[index - 1], ranges[index + 1]];
  if (before !== undefined && isPlain(text.slice(before.end, own.start))) {
    return applySplices(text, [cut(before.end, own.end)]);
  }
  if (after !== undefined && isPlain(text.slice(own.end, after.start))) {
    return applySplices(text, [cut(own.start, after.start)]);
  }
  const comma = hasComma(text, own.end) ? text.indexOf(",", own.end) : undefined;
  const blanks = text.slice(0, own.start).search(/\s*$/);
  const earlier = comma === undefined && before !== undefined && after === undefined
    ? commaBehind(text, before.end)
    : undefined;
  return applySplices(text, [
    ...(earlier === undefined ? [] : [cut(earlier, earlier + 1)]),
    cut(blanks, own.end),
    ...(comma === undefined ? [] : [cut(comma, comma + 1)]),
  ]);
}

function isPlain(between: string): boolean {
  return /^\s*,\s*$/.test(between);
}

const UP_TO_COMMA = /(?:\s|\/\/[^\n]*|\/\*[^]*?\*\/)*,/y;

/** True if a comma follows, after blanks and comments. */
function hasComma(text: string, offset: number): boolean {
  return commaBehind(text, offset) !== undefined;
}

function commaBehind(text: string, offset: number): number | undefined {
  UP_TO_COMMA.lastIndex = offset;
  return UP_TO_COMMA.test(text) ? UP_TO_COMMA.lastIndex - 1 : undefined;
}

function indentAt(text: string, offset: number): string {
  const start = text.lastIndexOf("\n", offset - 1) + 1;
  return /^[ \t]*/.exec(text.slice(start, offset))?.[0] ?? "";
}

function isFirstOfLine(text: string, offset: number): boolean {
  return /^[ \t]*$/.test(text.slice(text.lastIndexOf("\n", offset - 1) + 1, offset));
}

/** The indentation of the first indented line: one step. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}
