/** A stream that is read while its reader still works on what came before. */
export interface ReadAhead {
  readonly chunks: AsyncIterable<Uint8Array>;
  /** Resolves at the stream's end or fault, or when the reader has taken nothing of a full store for too long. Never rejects. */
  readonly ended: Promise<void>;
}

/** The most bytes that are kept, but for one chunk. */
const MOST_BYTES = 64 * 1024 * 1024;

/** The time that a reader may leave a full store alone, in ms. */
const LONGEST_REST_MS = 60_000;

/** Reads a stream ahead, so that its end is seen before its chunks are taken. */
export function readAhead(stream: AsyncIterable<Uint8Array>): ReadAhead {
  const kept: Uint8Array[] = [];
  let size = 0;
  let isOver = false;
  let wake = () => {};
  let taken = () => {};
  const read = async () => {
    try {
      for await (const chunk of stream) {
        // A copy, because the stream may use its buffer again.
        kept.push(chunk.slice());
        size += chunk.length;
        wake();
        if (size >= MOST_BYTES && !await within(LONGEST_REST_MS, (done) => taken = done)) return;
      }
    } catch {
      // A stream that cannot be read has ended.
    }
  };
  const ended = read().finally(() => {
    isOver = true;
    wake();
  });
  async function* chunks() {
    for (;;) {
      const chunk = kept.shift();
      if (chunk !== undefined) {
        size -= chunk.length;
        if (size < MOST_BYTES) taken();
        yield chunk;
      } else if (isOver) return;
      else await new Promise<void>((resolve) => wake = resolve);
    }
  }
  return { chunks: chunks(), ended };
}

/** True if it is done in time. */
function within(ms: number, start: (done: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), ms);
    start(() => {
      clearTimeout(timer);
      resolve(true);
    });
  });
}
