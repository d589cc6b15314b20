import type { Span } from "../../model/place.ts";
import type { Problem, ProblemId } from "../../model/problem.ts";
import { errorAt, quoted } from "../../text/problems.ts";
import type { TomlArray, TomlMember, TomlNode, TomlTable } from "../../text/toml_node.ts";

/** Longer texts are refused, in UTF-16 code units. */
const LONGEST = 1_048_576;
/** Arrays and objects in each other up to this depth. */
const MAX_DEPTH = 64;

/** A JSON text as a tree with places, in the nodes that TOML has. */
export interface JsonTree {
  /** Its object; empty when there is a problem. */
  readonly root: TomlTable;
  /** Why the text is no JSON object (RFC 8259), or has in it what no TOML could say: the first fault alone. */
  readonly problems: readonly Problem[];
}

/** Reads a JSON text without a byte order mark whose value is an object. Total. */
export function parseJsonTree(text: string): JsonTree {
  const reader: Reader = { text, at: 0, depth: 0, spanOf: lineCounter(text) };
  try {
    if (text.length > LONGEST) {
      throw new JsonFault(`it has more than ${LONGEST} characters`, { start: 0, id: "too-large" });
    }
    return { root: readRoot(reader), problems: [] };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const span = reader.spanOf(error.start, error.end);
    const message = `Cannot read the file as JSON: ${error.message}`;
    return { root: emptyRoot(reader), problems: [errorAt(span, { id: error.id, message })] };
  }
}

interface Reader {
  readonly text: string;
  /** Offset of the next character. */
  at: number;
  /** How many arrays and objects are open. */
  depth: number;
  readonly spanOf: SpanOf;
}

class JsonFault extends Error {
  readonly start: number;
  readonly end: number;
  readonly id: ProblemId;

  constructor(detail: string, at: { start: number; end?: number; id?: ProblemId }) {
    super(detail);
    this.start = at.start;
    this.end = at.end ?? at.start + 1;
    this.id = at.id ?? "json-syntax";
  }
}

function emptyRoot({ spanOf }: Reader): TomlTable {
  return { type: "table", form: "root", span: spanOf(0, 0), end: 0, members: new Map() };
}

function readRoot(reader: Reader): TomlTable {
  skipBlanks(reader);
  const start = reader.at;
  const root = readValue(reader);
  skipBlanks(reader);
  if (reader.at < reader.text.length) throw unexpected(reader);
  if (root.type === "table") return root;
  throw new JsonFault("it is no object", { start, end: root.span.end, id: "wrong-type" });
}

function readValue(reader: Reader): TomlNode {
  const { text, at, spanOf } = reader;
  const char = text[at];
  if (char === "{") return nested(reader, readObject);
  if (char === "[") return nested(reader, readList);
  if (char === '"') {
    const value = readText(reader);
    return { type: "string", span: spanOf(at, reader.at), value };
  }
  const word = taken(reader, /true|false|null/y);
  if (word === "null") {
    throw new JsonFault("null says nothing; leave it out", {
      start: at,
      end: reader.at,
      id: "wrong-type",
    });
  }
  if (word !== undefined) {
    return { type: "boolean", span: spanOf(at, reader.at), value: word === "true" };
  }
  const number = taken(reader, /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y);
  if (number === undefined) throw unexpected(reader);
  return { type: "number", span: spanOf(at, reader.at), value: Number(number) };
}

function nested<T>(reader: Reader, read: (reader: Reader) => T): T {
  if (++reader.depth > MAX_DEPTH) {
    throw new JsonFault(`it is nested deeper than ${MAX_DEPTH}`, {
      start: reader.at,
      id: "too-large",
    });
  }
  const value = read(reader);
  reader.depth--;
  return value;
}

function readObject(reader: Reader): TomlTable {
  const start = reader.at;
  const members = new Map<string, TomlMember>();
  readSeries(reader, {
    end: "}",
    read: () => {
      const member = readMember(reader);
      if (members.has(member.name)) {
        const { start, end } = member.key;
        throw new JsonFault(`the key ${quoted(member.name)} stands twice`, { start, end });
      }
      members.set(member.name, member);
    },
  });
  const span = reader.spanOf(start, reader.at);
  return { type: "table", form: "inline", span, end: span.end, members };
}

function readMember(reader: Reader): TomlMember {
  const start = reader.at;
  if (reader.text[start] !== '"') throw unexpected(reader);
  const name = readText(reader);
  const key = reader.spanOf(start, reader.at);
  skipBlanks(reader);
  if (taken(reader, /:/y) === undefined) throw unexpected(reader);
  skipBlanks(reader);
  return { name, key, value: readValue(reader) };
}

function readList(reader: Reader): TomlArray {
  const start = reader.at;
  const items: TomlNode[] = [];
  readSeries(reader, { end: "]", read: () => items.push(readValue(reader)) });
  return { type: "array", form: "inline", span: reader.spanOf(start, reader.at), items };
}

/** What stands between a bracket and its end, with commas between. */
function readSeries(reader: Reader, { end, read }: { end: string; read: () => void }): void {
  reader.at++;
  skipBlanks(reader);
  if (reader.text[reader.at] !== end) {
    for (;;) {
      read();
      skipBlanks(reader);
      if (taken(reader, /,/y) === undefined) break;
      skipBlanks(reader);
    }
  }
  if (reader.text[reader.at] !== end) throw unexpected(reader);
  reader.at++;
}

// deno-lint-ignore no-control-regex
const TEXT = /"[^"\\\0-\x1f]*(?:\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4})[^"\\\0-\x1f]*)*"/y;

function readText(reader: Reader): string {
  const start = reader.at;
  const raw = taken(reader, TEXT);
  if (raw === undefined) {
    throw new JsonFault("the string has no end, or a character that must be escaped", { start });
  }
  const value: string = JSON.parse(raw);
  return value;
}

function skipBlanks(reader: Reader): void {
  taken(reader, /[ \t\r\n]*/y);
}

/** What fits here, and is then behind; undefined where nothing does. */
function taken(reader: Reader, pattern: RegExp): string | undefined {
  pattern.lastIndex = reader.at;
  const found = pattern.exec(reader.text)?.[0];
  reader.at += found?.length ?? 0;
  return found;
}

function unexpected({ text, at }: Reader): JsonFault {
  if (at >= text.length) return new JsonFault("it ends too early", { start: at });
  const char = String.fromCodePoint(text.codePointAt(at)!);
  return new JsonFault(`unexpected ${quoted(char)}`, { start: at, end: at + char.length });
}

/** The span from one offset of a text up to another. */
type SpanOf = (start: number, end: number) => Span;

/** Makes spans in a text without counting its lines again for each. */
function lineCounter(text: string): SpanOf {
  const starts = [0];
  for (let feed = text.indexOf("\n"); feed !== -1; feed = text.indexOf("\n", feed + 1)) {
    starts.push(feed + 1);
  }
  return (start, end) => {
    const line = lineOf(starts, start);
    return { start, end: Math.max(start, end), line: line + 1, column: start - starts[line]! + 1 };
  };
}

/** The index of the last line that starts at the offset or before it. */
function lineOf(starts: readonly number[], offset: number): number {
  let low = 0;
  let high = starts.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (starts[middle]! <= offset) low = middle;
    else high = middle - 1;
  }
  return low;
}
