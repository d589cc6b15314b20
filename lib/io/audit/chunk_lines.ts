/** A longer line is cut, in bytes. */
const LONGEST = 1 << 20;

/**
 * The lines of a text that comes in chunks, without their newlines, each as soon as it is whole; what is behind the last
 * newline is a line too, once the chunks end. Bytes that are no UTF-8 are U+FFFD. Keeps one line in memory, 1 MiB of it at
 * most.
 */
export async function* chunkLines(chunks: AsyncIterable<Uint8Array>): AsyncIterable<string> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    if (size < LONGEST && part.length > 0) parts.push(part.slice(0, LONGEST - size));
    size += part.length;
  };
  const line = () => {
    const text = joined(parts);
    parts = [];
    size = 0;
    return text;
  };
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      keep(chunk.subarray(start, end));
      yield line();
      start = end + 1;
    }
    keep(chunk.subarray(start));
  }
  if (size > 0) yield line();
}

function joined(parts: readonly Uint8Array[]): string {
  const decoder = new TextDecoder();
  const texts = parts.map((part) => decoder.decode(part, { stream: true }));
  return texts.join("") + decoder.decode();
}
