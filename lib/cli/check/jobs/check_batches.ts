import type { Runtime } from "../../../io/runtime/runtime.ts";
import { LineCutter } from "../../../text/byte_lines.ts";
import { MAX_LINE } from "../../../text/json_lines.ts";
import { EXIT } from "../../errors/errors.ts";
import { type Batch, BatchCutter } from "./batch.ts";
import type { PoolResult, ThreadPool } from "./thread_pool.ts";

/** The most batches of each thread that are not written, and their bytes. */
const MOST_BATCHES = 4;
const MOST_BYTES = 524_288;

/**
 * Decides the lines of standard input by a pool and writes their results in order; waits for the reader, so memory stays
 * constant. 0, or 65 after a line that cannot be read.
 */
export async function checkBatches(pool: ThreadPool, runtime: Runtime): Promise<number> {
  const results = new OrderedResults(pool, runtime);
  const cutter = new LineCutter(MAX_LINE);
  const batches = new BatchCutter();
  const input = runtime.stdin()[Symbol.asyncIterator]();
  for (;;) {
    const read = await results.unlessOver(input.next());
    if (read === undefined) return results.status;
    const lines = read.done ? cutter.end() : cutter.push(read.value);
    for (const batch of batches.cut(lines)) {
      await results.room();
      if (results.isOver) return results.status;
      results.add(batch);
    }
    if (read.done) break;
  }
  await results.written();
  return results.status;
}

/** The results of batches, written in their order while others are decided. */
class OrderedResults {
  status: number = EXIT.ok;
  isOver = false;
  readonly #pool: ThreadPool;
  readonly #runtime: Runtime;
  readonly #said = new Set<string>();
  #failure: { readonly error: unknown } | undefined;
  #last: Promise<void> = Promise.resolve();
  #open = { batches: 0, bytes: 0 };
  #changed = () => {};

  constructor(pool: ThreadPool, runtime: Runtime) {
    this.#pool = pool;
    this.#runtime = runtime;
  }

  add(batch: Batch): void {
    const { length } = batch.bytes;
    this.#open.batches++;
    this.#open.bytes += length;
    const result = this.#pool.decide(batch);
    this.#last = this.#last.then(() => this.isOver ? undefined : this.#write(result))
      .catch((error: unknown) => {
        this.#failure ??= { error };
        this.isOver = true;
      })
      .finally(() => {
        this.#open.batches--;
        this.#open.bytes -= length;
        this.#changed();
      });
  }

  /** Resolves when there is room for one more batch. Rejects if results could not be had or written. */
  async room(): Promise<void> {
    const { size } = this.#pool;
    while (!this.isOver && this.#open.batches > 0 && this.#isFull(size)) {
      await new Promise<void>((resolve) => this.#changed = resolve);
    }
    this.#check();
  }

  #isFull(size: number): boolean {
    const { batches, bytes } = this.#open;
    return batches >= MOST_BATCHES * size || bytes >= MOST_BYTES * size;
  }

  /** The value of a promise; undefined if the reader is gone before. Rejects as the promise, and as `room`. */
  async unlessOver<T>(promise: Promise<T>): Promise<T | undefined> {
    const value = await new Promise<T | undefined>((resolve, reject) => {
      this.#changed = () => this.isOver && resolve(undefined);
      this.#changed();
      promise.then(resolve, reject);
    });
    this.#check();
    return this.isOver ? undefined : value;
  }

  /** Resolves when all is written. Rejects as `room`. */
  async written(): Promise<void> {
    await this.#last;
    this.#check();
  }

  #check(): void {
    if (this.#failure !== undefined) throw this.#failure.error;
  }

  async #write(result: () => Promise<PoolResult>): Promise<void> {
    const { text, isRead, said } = await result();
    for (const each of said) {
      if (this.#said.has(each)) continue;
      this.#said.add(each);
      await this.#runtime.write("stderr", each);
    }
    if (!isRead) this.status = EXIT.badInput;
    if (text !== "" && !await this.#runtime.write("stdout", text)) this.isOver = true;
  }
}
