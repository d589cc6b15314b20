import type { Thread } from "../../../io/process/threads.ts";
import type { Deciding } from "../line_result.ts";
import { type Batch, type BatchResult, decideBatch } from "./batch.ts";

/** The results of a batch, with the texts that its thread wants on stderr. */
export interface PoolResult extends BatchResult {
  readonly said: readonly string[];
}

interface Member {
  readonly thread: Thread;
  /** The batches that it has not answered. */
  open: number;
}

/** Threads that decide batches; each starts when the others have work. */
export class ThreadPool {
  readonly size: number;
  readonly #start: () => Thread;
  readonly #here: Deciding;
  readonly #members: Member[] = [];

  /** `decideHere` decides what a thread could not, in this one. */
  constructor(
    size: number,
    { start, decideHere }: { readonly start: () => Thread; readonly decideHere: Deciding },
  ) {
    this.size = size;
    this.#start = start;
    this.#here = decideHere;
  }

  /** Hands a batch to a thread; the function that it returns waits for the result, and is called for one batch at a time. */
  decide(batch: Batch): () => Promise<PoolResult> {
    const member = this.#next();
    member.open++;
    const answer = member.thread.ask(batch).finally(() => member.open--)
      .then((value) => value as PoolResult | undefined, () => undefined);
    return async () => {
      // A thread that fails leaves its batch to this one, where the failure, if it is the batch's, is reported.
      return await answer ?? { ...await decideBatch(batch, this.#here), said: [] };
    };
  }

  end(): void {
    for (const { thread } of this.#members) thread.end();
  }

  #next(): Member {
    const [least] = this.#members.toSorted((one, other) => one.open - other.open);
    if (least !== undefined && (least.open === 0 || this.#members.length >= this.size)) {
      return least;
    }
    const member = { thread: this.#start(), open: 0 };
    this.#members.push(member);
    return member;
  }
}
