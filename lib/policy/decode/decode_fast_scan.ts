import type { Span } from "../../model/problem.ts";

/** A key and its value, both on one line. */
export interface ScannedPair {
  /** The place of the key; it is bare. */
  readonly key: Span;
  /** The value as written, quotes included. */
  readonly raw: string;
  /** The place of the value. */
  readonly span: Span;
}

/** A header and the pairs below it. */
export interface ScannedTable {
  /** The place of the header, brackets included. */
  readonly span: Span;
  /** Its pairs by key, in the order of the text. */
  readonly pairs: ReadonlyMap<string, ScannedPair>;
}

/** The tables of a permissions.toml that is written in the plain way. */
export interface ScannedFile {
  /** `[permissions]`; undefined when there is no such header. */
  readonly permissions: ScannedTable | undefined;
  /** Every `[[permissions.rules]]`, in the order of the text. */
  readonly rules: readonly ScannedTable[];
  /** Every `[tools.NAME]` by name, in the order of the text. */
  readonly tools: ReadonlyMap<string, ScannedTable>;
}

interface TableDraft extends ScannedTable {
  readonly pairs: Map<string, ScannedPair>;
}

interface FileDraft extends ScannedFile {
  permissions: TableDraft | undefined;
  readonly rules: TableDraft[];
  readonly tools: Map<string, TableDraft>;
  /** The table that pairs belong to; undefined above the first header. */
  open: TableDraft | undefined;
}

interface Line {
  /** Offset of its first character. */
  readonly start: number;
  /** Its number, from 1. */
  readonly number: number;
  /** The groups of LINE. */
  readonly groups: Readonly<Record<string, string | undefined>>;
}

/** Longer texts and lines go to the full decoder, which knows the limits; in UTF-16 code units. */
const LONGEST_TEXT = 4 * 1024 * 1024;
const LONGEST_LINE = 16_384;

/** Controls, line ends that are none in TOML, and a second byte order mark. */
// deno-lint-ignore no-control-regex
const UNPLAIN = /[\0-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ufeff]|\r(?!\n)/;

const TOOL = String.raw`\[tools\.(?<tool>[A-Za-z0-9_-]+|"[^"\\]*")\]`;
const HEADER = String.raw`(?<header>\[permissions\]|\[\[permissions\.rules\]\]|${TOOL})`;
const STRING = String.raw`"[^"\\]*(?:\\["\\bfnrt][^"\\]*)*"|'[^']*'`;
const DATE = String.raw`[12]\d{3}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)`;
const LIST = String
  .raw`\[[ \t]*(?:(?:${STRING})(?:[ \t]*,[ \t]*(?:${STRING}))*[ \t]*(?:,[ \t]*)?)?\]`;
const VALUE = String.raw`(?<raw>${STRING}|true|false|${DATE}|${LIST})`;
const PAIR = String.raw`(?<key>[A-Za-z_]+)(?<equals>[ \t]*=[ \t]*)${VALUE}`;

/** One string of a list. */
const ELEMENT = new RegExp(STRING, "g");

/** A whole line in the plain way. One expression, because compiling one takes longer than matching all lines. */
const LINE = new RegExp(String.raw`^(?<indent>[ \t]*)(?:${HEADER}|${PAIR})?[ \t]*(?:#.*)?$`);

/**
 * The tables of a permissions.toml of which every line is written in the plain way: a known header, or a bare key with a
 * value that ends on its line; then a comment. Undefined if any line is not, or repeats a key or table.
 */
export function scanTables(text: string): ScannedFile | undefined {
  if (text.length > LONGEST_TEXT || UNPLAIN.test(text) || !text.isWellFormed()) return undefined;
  const file: FileDraft = { permissions: undefined, rules: [], tools: new Map(), open: undefined };
  for (let start = 0, number = 1; start < text.length; number++) {
    const feed = text.indexOf("\n", start);
    const next = feed === -1 ? text.length : feed + 1;
    if (next - start > LONGEST_LINE) return undefined;
    const groups = LINE.exec(text.slice(start, endOfLine(text, { start, feed })))?.groups;
    if (groups === undefined || !addLine(file, { start, number, groups })) return undefined;
    start = next;
  }
  return file;
}

/** Offset behind the last character of a line that ends in the line feed at `feed`, or with the text at -1. */
function endOfLine(text: string, { start, feed }: { start: number; feed: number }): number {
  if (feed === -1) return text.length;
  return feed > start && text[feed - 1] === "\r" ? feed - 1 : feed;
}

/**
 * Adds a line; false if its key or table exists already, or if it stands above the first header.
 */
function addLine(file: FileDraft, line: Line): boolean {
  const { indent = "", header, key } = line.groups;
  const column = indent.length + 1;
  if (header !== undefined) {
    const span = spanIn(line, { column, length: header.length });
    return openTable(file, { span, line });
  }
  return key === undefined ||
    addPair(file.open, { key: spanIn(line, { column, length: key.length }), line });
}

/** Adds a table and opens it. */
function openTable(file: FileDraft, { span, line }: { span: Span; line: Line }): boolean {
  const { header = "", tool } = line.groups;
  const table: TableDraft = { span, pairs: new Map() };
  file.open = table;
  if (header.startsWith("[[")) {
    file.rules.push(table);
    return true;
  }
  if (tool !== undefined) {
    const name = tool.startsWith('"') ? tool.slice(1, -1) : tool;
    const isNew = !file.tools.has(name);
    file.tools.set(name, table);
    return isNew;
  }
  const isNew = file.permissions === undefined;
  file.permissions = table;
  return isNew;
}

function addPair(table: TableDraft | undefined, at: { key: Span; line: Line }): boolean {
  const { key: name = "", equals = "", raw = "" } = at.line.groups;
  if (table === undefined || table.pairs.has(name)) return false;
  const column = at.key.column + name.length + equals.length;
  const span = spanIn(at.line, { column, length: raw.length });
  table.pairs.set(name, { key: at.key, raw, span });
  return true;
}

function spanIn(line: Line, at: { column: number; length: number }): Span {
  const start = line.start + at.column - 1;
  return { start, end: start + at.length, line: line.number, column: at.column };
}

/** The place of each string of a list of strings, quotes included. */
export function scanList({ raw, span }: ScannedPair): readonly Span[] {
  return [...raw.matchAll(ELEMENT)].map(({ index, 0: string }) => {
    const start = span.start + index;
    return { ...span, start, end: start + string.length, column: span.column + index };
  });
}
