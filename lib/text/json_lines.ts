import type { JsonObject } from "../model/call.ts";
import { LineCutter } from "./byte_lines.ts";
import { isJsonObject, isTooDeep, MAX_DEPTH } from "./json_value.ts";

/** One line of a stream. */
export type Line =
  | { readonly ok: true; readonly number: number; readonly value: JsonObject }
  | { readonly ok: false; readonly number: number; readonly detail: string };

/** The longest line that is read, in bytes. */
export const MAX_LINE = 8 * 1024 * 1024;

/** The lines of a JSON Lines stream, in order, without blank ones. Keeps one chunk and one line in memory. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  for await (const lines of jsonLinesByChunk(chunks)) yield* lines;
}

/** As `jsonLines`, the lines that end in each chunk together: read them all before the next. */
export async function* jsonLinesByChunk(
  chunks: AsyncIterable<Uint8Array>,
): AsyncIterable<Iterable<Line>> {
  const reader = new LineReader();
  for await (const chunk of chunks) yield reader.read(chunk);
  yield reader.end();
}

const NEWLINE = 0x0a;

/** Reads the lines of a stream and numbers them. */
class LineReader {
  readonly #cutter = new LineCutter(MAX_LINE);
  #number = 0;

  *read(chunk: Uint8Array): Iterable<Line> {
    const [first, last] = [chunk.indexOf(NEWLINE), chunk.lastIndexOf(NEWLINE)];
    // Lines that begin and end in the chunk are decoded together: that costs less than one call for each.
    const texts = last - first > MAX_LINE ? undefined : textsOf(chunk.subarray(first + 1, last));
    if (texts === undefined || first === last) {
      yield* this.#cut(this.#cutter.push(chunk));
      return;
    }
    yield* this.#cut(this.#cutter.push(chunk.subarray(0, first + 1)));
    for (const text of texts) {
      const line = lineOf(objectOf(text), ++this.#number);
      if (line !== undefined) yield line;
    }
    yield* this.#cut(this.#cutter.push(chunk.subarray(last + 1)));
  }

  end(): Iterable<Line> {
    return this.#cut(this.#cutter.end());
  }

  *#cut(lines: Iterable<Uint8Array | null>): Iterable<Line> {
    for (const bytes of lines) {
      const line = jsonLine(bytes, ++this.#number);
      if (line !== undefined) yield line;
    }
  }
}

/** A line of a stream by its bytes, null for one that is too long; undefined for a blank one. */
export function jsonLine(bytes: Uint8Array | null, number: number): Line | undefined {
  return lineOf(bytes === null ? `longer than ${MAX_LINE} bytes` : valueOf(bytes), number);
}

/** A line by its object or its fault. */
function lineOf(value: JsonObject | string | undefined, number: number): Line | undefined {
  if (value === undefined) return undefined;
  return typeof value === "string"
    ? { ok: false, number, detail: value }
    : { ok: true, number, value };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The object of a line, or its fault; undefined for a blank line. */
function valueOf(bytes: Uint8Array): JsonObject | string | undefined {
  const text = decoded(bytes, decoder);
  return text === undefined ? "not UTF-8" : objectOf(text);
}

/** As `valueOf`, for the text of a line. */
function objectOf(text: string): JsonObject | string | undefined {
  if (text.trim() === "") return undefined;
  if (isTooDeep(text)) return `nested deeper than ${MAX_DEPTH}`;
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not a JSON object";
  } catch (error) {
    if (error instanceof SyntaxError) return "not JSON";
    throw error;
  }
}

const wholeDecoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** The texts of several lines, each without its byte order mark; undefined if one of them is not UTF-8. */
function textsOf(bytes: Uint8Array): readonly string[] | undefined {
  const lines = decoded(bytes, wholeDecoder)?.split("\n");
  return lines?.map((line) => line.startsWith("\ufeff") ? line.slice(1) : line);
}

/** The text of bytes; undefined if they are not UTF-8. */
function decoded(bytes: Uint8Array, by: TextDecoder): string | undefined {
  try {
    return by.decode(bytes);
  } catch (error) {
    if (error instanceof TypeError) return undefined;
    throw error;
  }
}
