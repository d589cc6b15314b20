import { BRIEFLY } from "../../../io/load/remembered_looks.ts";
import type { LineCutter } from "../../../text/byte_lines.ts";
import { jsonLine } from "../../../text/json_lines.ts";
import { type Deciding, lineResult } from "../line_result.ts";

/** Lines that one thread decides. */
export interface Batch {
  /** The number of the first line. */
  readonly first: number;
  /** The bytes of all lines. */
  readonly bytes: Uint8Array;
  /** The length of each line in bytes; null for one that is too long to be read. */
  readonly lengths: readonly (number | null)[];
}

/** The results of a batch. */
export interface BatchResult {
  /** A result a line, each with its newline. */
  readonly text: string;
  /** True if all lines could be read. */
  readonly isRead: boolean;
}

/** The most lines of a batch, and the bytes after which it takes no more. */
const MOST_LINES = 64;
const MOST_BYTES = 65_536;

/** Cuts lines into batches, and numbers them. */
export class BatchCutter {
  #first = 1;
  #size = 0;
  #lines: (Uint8Array | null)[] = [];

  /** The batches of lines that came in together. */
  *cut(lines: ReturnType<LineCutter["push"]>): Iterable<Batch> {
    for (const line of lines) {
      this.#lines.push(line);
      this.#size += line?.length ?? 0;
      if (this.#lines.length >= MOST_LINES || this.#size >= MOST_BYTES) yield this.#batch();
    }
    if (this.#lines.length > 0) yield this.#batch();
  }

  #batch(): Batch {
    const [first, lines, bytes] = [this.#first, this.#lines, new Uint8Array(this.#size)];
    let at = 0;
    for (const line of lines) {
      if (line === null) continue;
      bytes.set(line, at);
      at += line.length;
    }
    this.#first += lines.length;
    this.#size = 0;
    this.#lines = [];
    return { first, bytes, lengths: lines.map((line) => line?.length ?? null) };
  }
}

/**
 * Decides the lines of a batch. INVARIANT: a look at a file holds for lines of one batch only, for a tenth of a second at most,
 * and no longer than until the results are handed on.
 */
export async function decideBatch(batch: Batch, deciding: Deciding): Promise<BatchResult> {
  const { looks } = deciding;
  const results: string[] = [];
  let isRead = true;
  let began = -Infinity;
  try {
    let at = 0;
    for (const [index, length] of batch.lengths.entries()) {
      const bytes = length === null ? null : batch.bytes.subarray(at, at += length);
      const line = jsonLine(bytes, batch.first + index);
      if (line === undefined) continue;
      if (performance.now() - began > BRIEFLY) {
        looks.forget();
        looks.remember();
        began = performance.now();
      }
      const result = await lineResult(line, deciding);
      if (!result.isRead) isRead = false;
      if (result.asksModel) began = -Infinity;
      results.push(`${result.text}\n`);
    }
  } finally {
    looks.forget();
  }
  return { text: results.join(""), isRead };
}
