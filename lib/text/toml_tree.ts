import { parseTOML } from "toml-eslint-parser";
import type { AST } from "toml-eslint-parser";
import type { Span } from "../model/problem.ts";
import { KeyClash, LongString, tomlFault, unreadable } from "./toml_fault.ts";
import type { TomlArray, TomlDocument, TomlMember, TomlNode, TomlTable } from "./toml_node.ts";

/** The longest string that is read, in UTF-16 code units; the parser's own limit differs from runtime to runtime. */
const LONGEST_STRING = 65_536;

type Key = AST.TOMLBare | AST.TOMLQuoted;

interface TableDraft extends TomlTable {
  form: TomlTable["form"];
  span: Span;
  end: number;
  readonly members: Map<string, TomlMember>;
}

/**
 * Parses a TOML 1.1 text without a byte order mark. Never throws: a fault is in `problems`, and `root` is then empty. Only
 * the first fault is found, because nothing after it can be relied upon.
 */
export function parseToml(text: string): TomlDocument {
  const problem = unreadable(text);
  if (problem !== undefined) return { text, root: emptyRoot(), comments: [], problems: [problem] };
  try {
    const program = parseTOML(text);
    const root = emptyRoot();
    for (const node of program.body[0].body) {
      if (node.type === "TOMLTable") addTable(root, { node, text });
      else addKeyValue(root, node);
    }
    return { text, root, comments: program.comments.map((it) => it.range[0]), problems: [] };
  } catch (error) {
    return { text, root: emptyRoot(), comments: [], problems: [tomlFault(text, error)] };
  }
}

function emptyRoot(): TableDraft {
  return draft("root", { start: 0, end: 0, line: 1, column: 1 });
}

function draft(form: TomlTable["form"], span: Span): TableDraft {
  return { type: "table", form, span, end: span.end, members: new Map() };
}

function addKeyValue(table: TableDraft, node: AST.TOMLKeyValue): void {
  const keys = node.key.keys;
  let target = table;
  for (const key of keys.slice(0, -1)) target = descend(target, key);
  for (const key of keys.slice(-1)) addMember(target, { key, value: valueOf(node.value) });
  table.end = Math.max(table.end, node.range[1]);
}

function addTable(root: TableDraft, options: { node: AST.TOMLTable; text: string }): void {
  const { node, text } = options;
  let parent = root;
  for (const key of node.key.keys.slice(0, -1)) parent = descend(parent, key);
  for (const key of node.key.keys.slice(-1)) {
    const span = headerSpan(node, text);
    const table = node.kind === "array"
      ? addElement(parent, { key, span })
      : openTable(parent, { key, span });
    for (const member of node.body) addKeyValue(table, member);
  }
}

/** The table that a further part of a dotted key or header leads to; of an array of tables, its last. */
function descend(table: TableDraft, key: Key): TableDraft {
  const value = table.members.get(nameOf(key))?.value;
  if (value === undefined) {
    const made = draft("dotted", spanOf(key));
    addMember(table, { key, value: made });
    return made;
  }
  const found = value.type === "array" && value.form === "tables" ? value.elements.at(-1) : value;
  if (found?.type !== "table" || found.form === "inline") throw new KeyClash(spanOf(key));
  return found as TableDraft;
}

function openTable(parent: TableDraft, options: { key: Key; span: Span }): TableDraft {
  const { key, span } = options;
  const value = parent.members.get(nameOf(key))?.value;
  if (value === undefined) {
    const made = draft("header", span);
    addMember(parent, { key, value: made });
    return made;
  }
  if (value.type !== "table" || value.form !== "dotted") throw new KeyClash(spanOf(key));
  const opened = value as TableDraft;
  opened.form = "header";
  opened.span = span;
  opened.end = span.end;
  return opened;
}

function addElement(parent: TableDraft, options: { key: Key; span: Span }): TableDraft {
  const { key, span } = options;
  const made = draft("header", span);
  const value = parent.members.get(nameOf(key))?.value;
  if (value === undefined) {
    addMember(parent, { key, value: { type: "array", form: "tables", span, elements: [made] } });
    return made;
  }
  if (value.type !== "array" || value.form !== "tables") throw new KeyClash(spanOf(key));
  (value.elements as TomlNode[]).push(made);
  return made;
}

function addMember(table: TableDraft, options: { key: Key; value: TomlNode }): void {
  const name = nameOf(options.key);
  // INVARIANT: the parser refuses every duplicate key; one that it missed must not replace the first.
  if (table.members.has(name)) throw new KeyClash(spanOf(options.key));
  table.members.set(name, { name, key: spanOf(options.key), value: options.value });
}

function valueOf(node: AST.TOMLContentNode): TomlNode {
  const span = spanOf(node);
  switch (node.type) {
    case "TOMLArray":
      return arrayOf(node);
    case "TOMLInlineTable": {
      const table = draft("inline", span);
      for (const member of node.body) addKeyValue(table, member);
      table.end = span.end;
      return table;
    }
    case "TOMLValue":
      return scalarOf(node);
  }
}

function arrayOf(node: AST.TOMLArray): TomlArray {
  return {
    type: "array",
    form: "inline",
    span: spanOf(node),
    elements: node.elements.map(valueOf),
  };
}

function scalarOf(node: AST.TOMLValue): TomlNode {
  const span = spanOf(node);
  switch (node.kind) {
    case "string":
      if (node.value.length > LONGEST_STRING) throw new LongString(span);
      return { type: "string", span, value: node.value };
    case "boolean":
      return { type: "boolean", span, value: node.value };
    case "integer":
    case "float":
      return { type: "number", span, value: node.value };
    case "offset-date-time":
      return { type: "date-time", span, zone: "offset", value: node.datetime };
    case "local-date-time":
    case "local-date":
    case "local-time":
      return { type: "date-time", span, zone: "local", value: node.datetime };
  }
}

function nameOf(key: Key): string {
  return key.type === "TOMLBare" ? key.name : key.value;
}

function spanOf(node: AST.HasLocs): Span {
  const { line, column } = node.loc.start;
  return { start: node.range[0], end: node.range[1], line, column: column + 1 };
}

/** From the first `[` of a header to its last `]`; the parser's own range runs on to the last value. */
function headerSpan(node: AST.TOMLTable, text: string): Span {
  const bracket = text.indexOf("]", node.key.range[1]);
  return { ...spanOf(node), end: bracket + (node.kind === "array" ? 2 : 1) };
}
