import {
  type ArrayNode,
  type MemberNode,
  type ObjectNode,
  parse,
  type ValueNode,
} from "@humanwhocodes/momoa";
import { applySplices, cut, type Splice } from "../text/splice.ts";
import { SettingsFault } from "./event_fault.ts";

/** A value of JSON that is written into a text. */
export type JsonValue = string | number | boolean | object;

/** Parses JSON with comments and trailing commas; its value must be an object. Throws SettingsFault. */
export function parseJson(text: string): ObjectNode {
  const { body } = parsed(text);
  if (body.type === "Object") return body;
  const { line, column } = body.loc.start;
  throw new SettingsFault("it is no JSON object", { line, column });
}

function parsed(text: string) {
  try {
    return parse(text, { mode: "jsonc", allowTrailingCommas: true });
  } catch (error) {
    // The parser's errors carry their place; anything else is a bug.
    if (!(error instanceof Error) || !("line" in error) || !("column" in error)) throw error;
    const at = { line: Number(error.line), column: Number(error.column) };
    throw new SettingsFault("it is no JSON", at);
  }
}

/** The member of that name, the last where there are several, as parsers read it; undefined where there is none. */
export function memberOf(object: ObjectNode, name: string): MemberNode | undefined {
  return object.members.findLast((member) => nameOf(member) === name);
}

function nameOf({ name }: MemberNode): string {
  return name.type === "String" ? name.value : name.name;
}

/** What stands somewhere in a text. */
interface Placed {
  readonly loc: { readonly start: { offset: number }; readonly end: { offset: number } };
}

/** Offsets of a node's first character and behind its last. */
function rangeOf({ loc }: Placed): { readonly start: number; readonly end: number } {
  return { start: loc.start.offset, end: loc.end.offset };
}

/** The text with a value at the end of the list at `path`; objects and the list are made where they are missing. */
export function withElement(text: string, path: readonly string[], value: JsonValue): string {
  const root = parseJson(text);
  let container: ObjectNode = root;
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
    if (isLast && found.type === "Array") return withInner(text, found, "", value);
    if (isLast || found.type !== "Object") throw wrongType(found, path.slice(0, index + 1));
    container = found;
  }
  return text;
}

/** The text with a member in its outermost object, where that has none of the name. */
export function withMember(text: string, name: string, value: JsonValue): string {
  const root = parseJson(text);
  if (memberOf(root, name) !== undefined) return text;
  return withInner(text, root, `${JSON.stringify(name)}: `, value);
}

function wrongType(found: ValueNode, path: readonly string[]): SettingsFault {
  const { line, column } = found.loc.start;
  return new SettingsFault(`"${path.join(".")}" is not what it should be`, { line, column });
}

/** Puts one more at the end of an object or list, without touching what is there, comments included. */
function withInner(
  text: string,
  container: ObjectNode | ArrayNode,
  key: string,
  value: JsonValue,
): string {
  const { start, end } = rangeOf(container);
  const inner = container.type === "Object" ? container.members : container.elements;
  const last = inner.at(-1);
  const eol = text.includes("\r\n") ? "\r\n" : "\n";
  const outer = indentAt(text, start);
  const unit = unitOf(text);
  const own = last !== undefined && isFirstOfLine(text, rangeOf(last).start)
    ? indentAt(text, rangeOf(last).start)
    : outer + unit;
  const written = JSON.stringify(value, null, unit).replaceAll("\n", `${eol}${own}`);
  const close = end - 1;
  const blank = text.slice(0, close).search(/\s*$/);
  const splices: Splice[] = [];
  if (last !== undefined && !hasComma(text, rangeOf(last).end)) {
    splices.push({ start: rangeOf(last).end, end: rangeOf(last).end, text: "," });
  }
  const tail = text.slice(blank, close).includes("\n")
    ? text.slice(blank, close)
    : `${eol}${outer}`;
  splices.push({ start: blank, end: close, text: `${eol}${own}${key}${written}${tail}` });
  return applySplices(text, splices);
}

/** The text without the element at `index` of the list at `path`, and without what is empty then. */
export function withoutElement(text: string, path: readonly string[], index: number): string {
  const chain: ObjectNode[] = [];
  let node: ValueNode = parseJson(text);
  for (const name of path) {
    if (node.type !== "Object") return text;
    chain.push(node);
    const next: ValueNode | undefined = memberOf(node, name)?.value;
    if (next === undefined) return text;
    node = next;
  }
  if (node.type !== "Array") return text;
  if (node.elements.length > 1) return withoutOne(text, node.elements, index);
  for (const [depth, object] of [...chain.entries()].reverse()) {
    if (object.members.length > 1 || depth === 0) {
      const at = object.members.findLastIndex((member) => nameOf(member) === path[depth]);
      return withoutOne(text, object.members, at);
    }
  }
  return text;
}

function withoutOne(text: string, all: readonly Placed[], index: number): string {
  const ranges = all.map(rangeOf);
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

/** Whether a comma follows, behind blanks and comments. */
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

/** One step of the file's own indentation: that of the first line that has any. */
function unitOf(text: string): string {
  return /^([ \t]+)\S/m.exec(text)?.[1] ?? "  ";
}
