import type { AST } from "toml-eslint-parser";
import { lineEnd } from "../text_lines.ts";
import {
  type KeyOrder,
  namesOf,
  ordered,
  type Printing,
  printKey,
  printValue,
  raw,
  within,
} from "./print_value.ts";
import { type TomlStatement, tomlStatements } from "./toml_statements.ts";

/** A table with what belongs to it; the first has no header. */
interface Section {
  /** Comments directly above the header. */
  readonly lead: readonly TomlStatement[];
  readonly header: TomlStatement | undefined;
  /** Comments above the first pair. */
  readonly head: readonly TomlStatement[];
  readonly pairs: readonly Pair[];
  /** Comments behind the last pair. */
  readonly tail: readonly TomlStatement[];
}

interface Pair {
  /** Comments above it. */
  readonly lead: readonly TomlStatement[];
  readonly item: TomlStatement;
}

/**
 * A TOML text in canonical form: no indent, one blank around `=`, plain quotes, one blank line between tables, lists in one
 * line where they are short, and the keys of some tables in the order of `order`. Comments and values stay. A table or list
 * is left as it is where a comment on one of the lines `kept`, from 1, is in it or above it. Throws ParseError.
 */
export function formatToml(
  text: string,
  { order, kept = new Set() }: { readonly order: KeyOrder; readonly kept?: ReadonlySet<number> },
): string {
  const { items, inner } = tomlStatements(text);
  const eol = lineEnd(text);
  const printing: Printing = { text, comments: inner, order, kept, eol };
  const lines = sectionsOf(items).flatMap((section, index) => {
    const own = sectionLines(section, printing);
    return index > 0 && own.length > 0 ? ["", ...own] : own;
  });
  while (lines[0] === "") lines.shift();
  return lines.map((line) => line + eol).join("");
}

function sectionsOf(items: readonly TomlStatement[]): readonly Section[] {
  const headers = items.flatMap(({ kind }, index) => kind === "header" ? [index] : []);
  // A comment right above a header belongs to that.
  const starts = headers.map((index) => {
    let start = index;
    while (start > 0 && items[start - 1]!.kind === "comment" && !items[start]!.gap) start--;
    return start;
  });
  const first = sectionOf(items.slice(0, starts[0] ?? items.length), []);
  return [
    first,
    ...headers.map((index, at) =>
      sectionOf(items.slice(index, starts[at + 1] ?? items.length), items.slice(starts[at], index))
    ),
  ];
}

function sectionOf(items: readonly TomlStatement[], lead: readonly TomlStatement[]): Section {
  const [header] = items[0]?.kind === "header" ? items : [];
  const rest = header === undefined ? items : items.slice(1);
  const pairs: Pair[] = [];
  let comments: TomlStatement[] = [];
  let head: readonly TomlStatement[] = [];
  for (const item of rest) {
    if (item.kind === "comment") comments.push(item);
    else {
      if (pairs.length === 0) head = comments;
      pairs.push({ lead: pairs.length === 0 ? [] : comments, item });
      comments = [];
    }
  }
  return pairs.length === 0
    ? { lead, header, head: comments, pairs, tail: [] }
    : { lead, header, head, pairs, tail: comments };
}

function sectionLines(section: Section, printing: Printing): readonly string[] {
  const { lead, header, head, pairs, tail } = section;
  const table = header?.node?.type === "TOMLTable" ? header.node : undefined;
  const path = table === undefined ? [] : namesOf(table.key);
  const isKept = table?.kind === "array" && isKeptTable(section, printing);
  const order = table?.kind === "array" && !isKept ? printing.order(path) : undefined;
  const isDense = order !== undefined;
  const lines = [
    ...commentLines(lead, { isDense: true }),
    ...(table === undefined ? [] : [withComment(headerText(table), header!.comment)]),
  ];
  const add = (each: readonly string[], gap: boolean) => {
    const isFirst = lines.length === 0 || table !== undefined && lines.length === lead.length + 1;
    if (gap && !isFirst) lines.push("");
    lines.push(...each);
  };
  if (head.length > 0) add(commentLines(head, { isDense }), head[0]!.gap && !isDense);
  for (
    const pair of ordered(pairs, {
      order,
      nameOf: ({ item }) => namesOf((item.node as AST.TOMLKeyValue).key)[0] ?? "",
    })
  ) {
    const [first] = [...pair.lead, pair.item];
    const above = commentLines(pair.lead, { isDense });
    const gapBelow = pair.lead.length > 0 && pair.item.gap && !isDense ? [""] : [];
    const textOf = isKept || isKeptPair(pair, { section, printing }) ? rawText : pairText;
    add([...above, ...gapBelow, textOf(pair.item, { path, printing })], first!.gap && !isDense);
  }
  if (tail.length > 0) add(commentLines(tail, { isDense: false }), tail[0]!.gap);
  return lines;
}

/** True if a comment in a table or above it keeps its place. */
function isKeptTable(section: Section, printing: Printing): boolean {
  return section.lead.some(({ line }) => printing.kept.has(line)) ||
    section.pairs.some((pair) => isKeptPair(pair, { section, printing }));
}

/** True if a comment in a pair or above it keeps its place. */
function isKeptPair(
  pair: Pair,
  { section: { head, pairs }, printing }: {
    readonly section: Section;
    readonly printing: Printing;
  },
): boolean {
  if (printing.kept.size === 0) return false;
  return [
    ...(pair === pairs[0] ? head : pair.lead),
    ...within(pair.item.node!, printing),
  ].some(({ line }) => printing.kept.has(line));
}

/** Comments on lines of their own, a blank line between them where there was one. */
function commentLines(
  comments: readonly TomlStatement[],
  { isDense }: { readonly isDense: boolean },
): readonly string[] {
  return comments.flatMap(({ comment, gap }, index) =>
    index > 0 && gap && !isDense ? ["", comment] : [comment]
  );
}

function headerText({ key, kind }: AST.TOMLTable): string {
  return kind === "array" ? `[[${printKey(key)}]]` : `[${printKey(key)}]`;
}

function pairText(
  { node, comment }: TomlStatement,
  { path, printing }: { readonly path: readonly string[]; readonly printing: Printing },
): string {
  const { key, value } = node as AST.TOMLKeyValue;
  const start = `${printKey(key)} = `;
  const place = { path: [...path, ...namesOf(key)], indent: "", used: start.length };
  return withComment(start + printValue(value, place, printing), comment);
}

/** A pair as it is written. */
function rawText(
  { node, comment }: TomlStatement,
  { printing }: { readonly printing: Printing },
): string {
  return withComment(raw(node!, printing), comment);
}

function withComment(line: string, comment: string): string {
  return comment === "" ? line : `${line} ${comment}`;
}
