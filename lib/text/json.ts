import type { createScanner as CreateScanner, JSONScanner } from "jsonc-parser";
// The package's entry does not load as a module in Deno, and its UMD build takes 20 ms and cannot be bundled.
import { createScanner } from "jsonc-parser/lib/esm/impl/scanner.js";
import { errorAt, type Problem, type ProblemId, quoted } from "../model/problem.ts";
import { duplicateKeys, type JsonMember, type JsonNode } from "./json_node.ts";
import { type SpanBetween, spansOf } from "./text_lines.ts";

/** The value of a JSON text, or its first fault. */
export type JsonResult =
  | { readonly ok: true; readonly root: JsonNode }
  | { readonly ok: false; readonly problem: Problem };

/** The values of a JSON text. */
export interface JsonDocument {
  /** Its value; an empty object if the text is not JSON. */
  readonly root: JsonNode;
  /** The fault of a text that is not JSON, or a problem for each duplicate key. */
  readonly problems: readonly Problem[];
}

/** The language of a text, and its limit. */
export interface JsonOptions {
  /** `json` is RFC 8259; `jsonc` has comments and trailing commas too, as settings files of editors and agents. */
  readonly syntax: "json" | "jsonc";
  /** The longest text that is read, in UTF-16 code units; 8 MiB if absent. */
  readonly longest?: number;
}

const LONGEST = 8 * 1024 * 1024;

/** Arrays and objects nest up to this depth. */
const MAX_DEPTH = 64;

/** Parses a JSON text without a byte order mark; objects may have duplicate keys. Never throws. */
export function readJson(text: string, { syntax, longest = LONGEST }: JsonOptions): JsonResult {
  const spanOf = spansOf(text);
  try {
    if (text.length > longest) {
      throw new JsonFault(`it has more than ${longest} characters`, { start: 0, id: "too-large" });
    }
    return { ok: true, root: new Reader(text, { syntax, spanOf }).read() };
  } catch (error) {
    if (!(error instanceof JsonFault)) throw error;
    const { id, start, end } = error;
    const message = `Cannot read the file as JSON: ${error.message}`;
    return { ok: false, problem: errorAt(spanOf(start, end), { id, message }) };
  }
}

/** Parses JSON with comments and trailing commas. Never throws. */
export function parseJsonc(text: string): JsonDocument {
  const read = readJson(text, { syntax: "jsonc" });
  if (read.ok) return { root: read.root, problems: duplicateKeys(read.root) };
  const root = { type: "object", span: spansOf(text)(0, 0), members: [] } as const;
  return { root, problems: [read.problem] };
}

/** A value whose place is not known yet. */
type JsonContent = JsonNode extends infer Node ? Node extends JsonNode ? Omit<Node, "span"> : never
  : never;

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

const newScanner: typeof CreateScanner = createScanner;

/** Kinds of token, by the package's numbers. */
const TOKEN = {
  openObject: 1,
  closeObject: 2,
  openArray: 3,
  closeArray: 4,
  comma: 5,
  colon: 6,
  null: 7,
  true: 8,
  false: 9,
  string: 10,
  number: 11,
  lineComment: 12,
  blockComment: 13,
  lineBreak: 14,
  blank: 15,
  end: 17,
} as const;

/** Reads values token by token; throws JsonFault. */
class Reader {
  readonly #text: string;
  readonly #syntax: JsonOptions["syntax"];
  readonly #spanOf: SpanBetween;
  readonly #scanner: JSONScanner;
  /** The kind of the token that comes next, blanks and comments passed over. */
  #kind: number = TOKEN.end;
  /** The number of open arrays and objects. */
  #depth = 0;

  constructor(
    text: string,
    { syntax, spanOf }: { syntax: JsonOptions["syntax"]; spanOf: SpanBetween },
  ) {
    this.#text = text;
    this.#syntax = syntax;
    this.#spanOf = spanOf;
    this.#scanner = newScanner(text);
  }

  read(): JsonNode {
    this.#next();
    const root = this.#value();
    this.#expect(TOKEN.end);
    return root;
  }

  #next(): void {
    do this.#kind = this.#scanner.scan(); while (this.#isPassedOver());
    if (this.#scanner.getTokenError() === 0) return;
    if (this.#kind === TOKEN.string) {
      const detail = "the string has no end, or a character that must be escaped";
      throw new JsonFault(detail, { start: this.#scanner.getTokenOffset() });
    }
    throw this.#unexpected(this.#kind === TOKEN.number ? this.#tokenEnd() : this.#text.length);
  }

  #isPassedOver(): boolean {
    switch (this.#kind) {
      case TOKEN.lineBreak:
      case TOKEN.blank:
        return true;
      case TOKEN.lineComment:
      case TOKEN.blockComment:
        return this.#syntax === "jsonc" && this.#scanner.getTokenError() === 0;
      default:
        return false;
    }
  }

  #value(): JsonNode {
    const start = this.#scanner.getTokenOffset();
    const content = this.#content();
    const span = this.#spanOf(start, this.#tokenEnd());
    this.#next();
    return { ...content, span };
  }

  /** The value that begins with the token; its last token is the current one then. */
  #content(): JsonContent {
    switch (this.#kind) {
      case TOKEN.openObject:
        return { type: "object", members: this.#series(TOKEN.closeObject, () => this.#member()) };
      case TOKEN.openArray:
        return { type: "array", elements: this.#series(TOKEN.closeArray, () => this.#value()) };
      case TOKEN.string:
        return { type: "string", value: this.#scanner.getTokenValue() };
      case TOKEN.number: {
        const digits = this.#text.slice(this.#scanner.getTokenOffset(), this.#tokenEnd());
        return { type: "number", value: Number(digits) };
      }
      case TOKEN.true:
      case TOKEN.false:
        return { type: "boolean", value: this.#kind === TOKEN.true };
      case TOKEN.null:
        return { type: "null" };
      default:
        throw this.#unexpected();
    }
  }

  #member(): JsonMember {
    this.#expect(TOKEN.string);
    const name = this.#scanner.getTokenValue();
    const key = this.#spanOf(this.#scanner.getTokenOffset(), this.#tokenEnd());
    this.#next();
    this.#expect(TOKEN.colon);
    this.#next();
    return { name, key, value: this.#value() };
  }

  /** The elements up to the closing token. */
  #series<T>(close: number, read: () => T): readonly T[] {
    if (++this.#depth > MAX_DEPTH) {
      const start = this.#scanner.getTokenOffset();
      throw new JsonFault(`it is nested deeper than ${MAX_DEPTH}`, { start, id: "too-large" });
    }
    const elements: T[] = [];
    this.#next();
    while (this.#kind !== close) {
      elements.push(read());
      if (this.#kind !== TOKEN.comma) break;
      this.#next();
      if (this.#kind === close && this.#syntax === "json") throw this.#unexpected();
    }
    this.#expect(close);
    this.#depth--;
    return elements;
  }

  #expect(kind: number): void {
    if (this.#kind !== kind) throw this.#unexpected();
  }

  #tokenEnd(): number {
    return this.#scanner.getTokenOffset() + this.#scanner.getTokenLength();
  }

  #unexpected(start = this.#scanner.getTokenOffset()): JsonFault {
    const code = this.#text.codePointAt(start);
    if (code === undefined) {
      return new JsonFault("it ends too early", { start: this.#text.trimEnd().length });
    }
    const char = String.fromCodePoint(code);
    return new JsonFault(`unexpected ${quoted(char)}`, { start, end: start + char.length });
  }
}
