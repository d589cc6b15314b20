import type { AST } from "toml-eslint-parser";
import { textWidth } from "../visible.ts";
import { tomlKey, tomlString } from "../toml_text.ts";
import type { InnerComment } from "./toml_statements.ts";

/** The order of the keys in the tables of a list, by the path of the list; undefined for any order. */
export type KeyOrder = (path: readonly string[]) => readonly string[] | undefined;

/** The context in which values are printed. */
export interface Printing {
  /** The text that nodes point into. */
  readonly text: string;
  readonly comments: readonly InnerComment[];
  readonly order: KeyOrder;
  /** The lines of comments that keep their places, from 1. */
  readonly kept: ReadonlySet<number>;
  readonly eol: string;
}

/** The place of a value. */
export interface ValuePlace {
  readonly path: readonly string[];
  /** The blanks in front of the line that it begins on. */
  readonly indent: string;
  /** The columns in use before it. */
  readonly used: number;
}

/** The columns that a list in one line must fit. */
const COLUMNS = 100;

/** A value in canonical form; the lines after the first are indented. */
export function printValue(
  node: AST.TOMLContentNode,
  place: ValuePlace,
  printing: Printing,
): string {
  switch (node.type) {
    case "TOMLArray":
      return printArray(node, place, printing);
    case "TOMLInlineTable":
      return printTable(node, place, printing);
    case "TOMLValue":
      return node.kind === "string" && !node.multiline
        ? tomlString(node.value)
        : raw(node, printing);
  }
}

/** The names of a key, quotes and escapes undone. */
export function namesOf({ keys }: AST.TOMLKey): readonly string[] {
  return keys.map((key) => key.type === "TOMLBare" ? key.name : key.value);
}

export function printKey(key: AST.TOMLKey): string {
  return namesOf(key).map(tomlKey).join(".");
}

/** Pairs in the order of the keys of their table; those of one key, and of unknown ones, as they are. */
export function ordered<T>(
  pairs: readonly T[],
  { order, nameOf }: { readonly order: readonly string[] | undefined; nameOf(pair: T): string },
): readonly T[] {
  if (order === undefined) return pairs;
  const rank = (pair: T) => {
    const at = order.indexOf(nameOf(pair));
    return at < 0 ? order.length : at;
  };
  return pairs.toSorted((a, b) => rank(a) - rank(b));
}

/** A value as it is written. */
export function raw({ range: [start, end] }: AST.TOMLNode, { text }: Printing): string {
  return text.slice(start, end);
}

/** The comments in a node, in order. */
export function within(
  { range: [start, end] }: AST.TOMLNode,
  { comments }: Printing,
): readonly InnerComment[] {
  return comments.slice(firstFrom(comments, start), firstFrom(comments, end));
}

/** The index of the first comment that starts at an offset or behind it. */
function firstFrom(comments: readonly InnerComment[], offset: number): number {
  let [low, high] = [0, comments.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (comments[middle]!.start < offset) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** An inline table on one line; with comments in it, as it is. */
function printTable(node: AST.TOMLInlineTable, place: ValuePlace, printing: Printing): string {
  if (within(node, printing).length > 0) return raw(node, printing);
  if (node.body.length === 0) return "{}";
  const pairs = ordered(node.body, {
    order: printing.order(place.path),
    nameOf: ({ key }) => namesOf(key)[0] ?? "",
  });
  const texts = pairs.map(({ key, value }) => {
    const inner = { ...place, path: [...place.path, ...namesOf(key)], used: 0 };
    return `${printKey(key)} = ${printValue(value, inner, printing)}`;
  });
  return `{ ${texts.join(", ")} }`;
}

/** A list on one line where that is short and has neither tables nor comments; else one element a line. */
function printArray(node: AST.TOMLArray, place: ValuePlace, printing: Printing): string {
  const comments = within(node, printing);
  const isFlat = comments.length === 0 &&
    node.elements.every(({ type }) => type !== "TOMLInlineTable");
  if (isFlat) {
    const texts = node.elements.map((each) => printValue(each, { ...place, used: 0 }, printing));
    const line = `[${texts.join(", ")}]`;
    if (!line.includes("\n") && place.used + textWidth(line) <= COLUMNS) return line;
  }
  const indent = `${place.indent}  `;
  const lines = arrayLines(node, { ...place, indent, used: indent.length + 1 }, printing);
  return ["[", ...lines, `${place.indent}]`].join(printing.eol);
}

/** The lines between the brackets. A blank line between elements stays one. */
function arrayLines(
  node: AST.TOMLArray,
  place: ValuePlace,
  printing: Printing,
): readonly string[] {
  const { indent } = place;
  const held = new Set(node.elements.flatMap((element) => within(element, printing)));
  const loose = within(node, printing).filter((comment) => !held.has(comment));
  const parts = [
    ...node.elements.map((element) => ({
      element,
      start: element.range[0],
      first: element.loc.start.line,
      last: element.loc.end.line,
    })),
    ...loose.map((comment) => ({
      comment,
      start: comment.start,
      first: comment.line,
      last: comment.line,
    })),
  ].toSorted((a, b) => a.start - b.start);
  const lines: string[] = [];
  let last = node.loc.start.line;
  for (const part of parts) {
    const isTrailing = "comment" in part && part.first === last && lines.length > 0;
    if (lines.length > 0 && part.first > last + 1) lines.push("");
    last = part.last;
    if ("element" in part) lines.push(`${indent}${printValue(part.element, place, printing)},`);
    else if (isTrailing) lines[lines.length - 1] += ` ${part.comment.text}`;
    else lines.push(`${indent}${part.comment.text}`);
  }
  return lines;
}
