/** The lines of a stream, in order, without their newlines; null stands for one that is longer than `longest` bytes. */
export async function* byteLines(
  chunks: AsyncIterable<Uint8Array>,
  { longest }: { readonly longest: number },
): AsyncIterable<Uint8Array | null> {
  const cutter = new LineCutter(longest);
  for await (const chunk of chunks) yield* cutter.push(chunk);
  yield* cutter.end();
}

/** Cuts a stream into its lines; keeps one line in memory. */
export class LineCutter {
  readonly #longest: number;
  #parts: Uint8Array[] = [];
  #size = 0;

  /** `longest` as for `byteLines`. */
  constructor(longest: number) {
    this.#longest = longest;
  }

  /** The lines that end in a chunk. */
  *push(chunk: Uint8Array): Iterable<Uint8Array | null> {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      this.#keep(chunk.subarray(start, end));
      yield this.#line();
      start = end + 1;
    }
    // A copy, because the reader may use its buffer again.
    this.#keep(chunk.slice(start));
  }

  /** The last line, if it has no newline. */
  *end(): Iterable<Uint8Array | null> {
    if (this.#size > 0) yield this.#line();
  }

  #keep(part: Uint8Array): void {
    this.#size += part.length;
    if (this.#size > this.#longest) this.#parts = [];
    else if (part.length > 0) this.#parts.push(part);
  }

  #line(): Uint8Array | null {
    const [parts, size] = [this.#parts, this.#size];
    this.#parts = [];
    this.#size = 0;
    return size > this.#longest ? null : concatBytes(parts);
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
