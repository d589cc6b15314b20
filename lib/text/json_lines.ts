import type { JsonObject } from "../model/call.ts";
import { isJsonObject, isTooDeep, MAX_DEPTH } from "./json_value.ts";

/** One line of a stream. */
export type Line =
  | { readonly ok: true; readonly number: number; readonly value: JsonObject }
  | { readonly ok: false; readonly number: number; readonly detail: string };

/** The longest line that is read, in bytes. */
export const MAX_LINE = 8 * 1024 * 1024;

/** The lines of a JSON Lines stream, in order, without blank ones. Keeps one line in memory. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  const cutter = new LineCutter();
  for await (const chunk of chunks) yield* cutter.push(chunk);
  yield* cutter.end();
}

class LineCutter {
  #number = 0;
  #parts: Uint8Array[] = [];
  #size = 0;

  *push(chunk: Uint8Array): Iterable<Line> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end));
      yield* this.#line();
      start = end + 1;
    }
    // A copy, because the reader may use its buffer again.
    this.#keep(chunk.slice(start));
  }

  *end(): Iterable<Line> {
    if (this.#size > 0) yield* this.#line();
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > MAX_LINE) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  *#line(): Iterable<Line> {
    this.#number++;
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    if (size > MAX_LINE) yield this.#bad(`longer than ${MAX_LINE} bytes`);
    else yield* this.#read(concatBytes(parts));
  }

  *#read(bytes: Uint8Array): Iterable<Line> {
    try {
      const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
      if (text.trim() === "") return;
      if (isTooDeep(text)) return yield this.#bad(`nested deeper than ${MAX_DEPTH}`);
      const value: unknown = JSON.parse(text);
      if (isJsonObject(value)) yield { ok: true, number: this.#number, value };
      else yield this.#bad("not a JSON object");
    } catch (error) {
      if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
      yield this.#bad(error instanceof SyntaxError ? "not JSON" : "not UTF-8");
    }
  }

  #bad(detail: string): Line {
    return { ok: false, number: this.#number, detail };
  }
}

/** The bytes of all parts, in their order. */
export function concatBytes(parts: readonly Uint8Array[]): Uint8Array {
  const [only] = parts;
  if (parts.length === 1 && only) return only;
  const bytes = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
