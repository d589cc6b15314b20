import { type ReadRecord, recordedReads, repeatedReads } from "../../../io/load/recorded_reads.ts";
import { rememberedLooks } from "../../../io/load/remembered_looks.ts";
import type { Runtime } from "../../../io/runtime/runtime.ts";
import type { Invocation } from "../../args/verb.ts";
import { openStream } from "../run.ts";
import { checkStream } from "../stream.ts";
import { type Batch, decideBatch } from "./batch.ts";
import { checkBatches } from "./check_batches.ts";
import { ThreadPool } from "./thread_pool.ts";

interface Checking {
  readonly invocation: Invocation;
  readonly runtime: Runtime;
}

/** Decides one call a line with several threads; in such a thread, the lines that it is sent. Answers the exit status. */
export async function checkWithJobs(jobs: number, checking: Checking): Promise<number> {
  // Loaded here because of the modules of its own that it needs.
  const { startThread, threadInput } = await import("../../../io/process/threads.ts");
  const data = threadInput();
  if (data !== undefined) return await decideAsThread(data as ReadRecord, checking);
  const { invocation, runtime } = checking;
  const looks = rememberedLooks(runtime);
  const recorded = recordedReads(looks.runtime);
  const stream = await openStream(invocation, recorded.runtime);
  recorded.end();
  // The circuit breaker counts denials in their order, and the model is slower than any thread.
  if (stream.start.asksModel) return await checkStream(looks, stream);
  const start = () => startThread(runtime, recorded.record);
  const pool = new ThreadPool(jobs, { start, decideHere: { ...stream, looks } });
  try {
    return await checkBatches(pool, runtime);
  } finally {
    pool.end();
  }
}

/** Decides the calls that the main thread sends, by the policy that it read, even if the files have changed since. */
async function decideAsThread(
  record: ReadRecord,
  { invocation, runtime }: Checking,
): Promise<number> {
  let said: string[] = [];
  const mute: Runtime = {
    ...runtime,
    write(_, text) {
      said.push(text);
      return Promise.resolve(true);
    },
  };
  const looks = rememberedLooks(mute);
  const repeated = repeatedReads(looks.runtime, record);
  const stream = await openStream(invocation, repeated.runtime);
  repeated.end();
  // The main thread has said it.
  said = [];
  const { answerMessages } = await import("../../../io/process/threads.ts");
  return await answerMessages(async (message) => {
    try {
      const result = await decideBatch(message as Batch, { ...stream, looks });
      return { ...result, said: said.splice(0) };
    } catch {
      // Not swallowed: the main thread decides the batch again, and reports what fails there.
      said = [];
      return undefined;
    }
  });
}
