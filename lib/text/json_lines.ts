import type { JsonObject } from "../model/call.ts";
import { LineCutter } from "./byte_lines.ts";
import { isJsonObject, isTooDeep, MAX_DEPTH } from "./json_value.ts";

/** One line of a stream. */
export type Line =
  | { readonly ok: true; readonly number: number; readonly value: JsonObject }
  | { readonly ok: false; readonly number: number; readonly detail: string };

/** The longest line that is read, in bytes. */
export const MAX_LINE = 8 * 1024 * 1024;

/** The lines of a JSON Lines stream, in order, without blank ones. Keeps one line in memory. */
export async function* jsonLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<Line> {
  const cutter = new LineCutter(MAX_LINE);
  let number = 0;
  function* read(lines: Iterable<Uint8Array | null>): Iterable<Line> {
    for (const bytes of lines) {
      const line = jsonLine(bytes, ++number);
      if (line !== undefined) yield line;
    }
  }
  // One iterator over the whole stream: another one would cost more than the parsing.
  for await (const chunk of chunks) yield* read(cutter.push(chunk));
  yield* read(cutter.end());
}

/** A line of a stream by its bytes, null for one that is too long; undefined for a blank one. */
export function jsonLine(bytes: Uint8Array | null, number: number): Line | undefined {
  const value = bytes === null ? `longer than ${MAX_LINE} bytes` : valueOf(bytes);
  if (value === undefined) return undefined;
  return typeof value === "string"
    ? { ok: false, number, detail: value }
    : { ok: true, number, value };
}

const decoder = new TextDecoder("utf-8", { fatal: true });

/** The object of a line, or its fault; undefined for a blank line. */
function valueOf(bytes: Uint8Array): JsonObject | string | undefined {
  try {
    const text = decoder.decode(bytes);
    if (text.trim() === "") return undefined;
    if (isTooDeep(text)) return `nested deeper than ${MAX_DEPTH}`;
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : "not a JSON object";
  } catch (error) {
    if (!(error instanceof SyntaxError) && !(error instanceof TypeError)) throw error;
    return error instanceof SyntaxError ? "not JSON" : "not UTF-8";
  }
}
