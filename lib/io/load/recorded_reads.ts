import { FileError, type FileFault, type Runtime } from "../runtime/runtime.ts";

/** The outcome of a read: its value, or the fault of its file. */
type Outcome =
  | { readonly value: unknown }
  | { readonly fault: FileFault; readonly message: string; readonly path: string };

/** The reads of a process and their outcomes, as data that another thread can be sent. */
export type ReadRecord = ReadonlyMap<string, Outcome>;

const READS = ["env", "cwd", "readText", "stat", "isThere", "realPath", "listFolder"] as const;

/** A runtime that keeps the outcome of each read until `end` is called. */
export interface RecordedReads {
  readonly runtime: Runtime;
  /** The reads so far. */
  readonly record: ReadRecord;
  /** Keeps no more. */
  end(): void;
}

/** A runtime whose reads are written down, so that another thread can load the same from them. */
export function recordedReads(runtime: Runtime): RecordedReads {
  const record = new Map<string, Outcome>();
  const { runtime: recording, end } = through(runtime, (key, read) => {
    const known = record.get(key);
    if (known !== undefined) return known;
    const outcome = outcomeOf(read);
    record.set(key, outcome);
    return outcome;
  });
  return { runtime: recording, record, end };
}

/** A runtime that reads what was read before, until `end` is called; what was not, it reads itself. */
export function repeatedReads(
  runtime: Runtime,
  record: ReadRecord,
): Pick<RecordedReads, "runtime" | "end"> {
  return through(runtime, (key, read) => record.get(key) ?? outcomeOf(read));
}

function through(
  runtime: Runtime,
  find: (key: string, read: () => unknown) => Outcome,
): Pick<RecordedReads, "runtime" | "end"> {
  let isOver = false;
  const methods = Object.fromEntries(READS.map((name) => {
    const method = runtime[name].bind(runtime) as (...words: unknown[]) => unknown;
    return [name, (...words: unknown[]) => {
      if (isOver) return method(...words);
      return valueOf(find(JSON.stringify([name, ...words]), () => method(...words)));
    }];
  }));
  // The methods have the types of those that they stand for.
  return { runtime: { ...runtime, ...methods } as Runtime, end: () => void (isOver = true) };
}

function outcomeOf(read: () => unknown): Outcome {
  try {
    return { value: read() };
  } catch (error) {
    if (!(error instanceof FileError)) throw error;
    const { fault, message, path } = error;
    return { fault, message, path };
  }
}

function valueOf(outcome: Outcome): unknown {
  if ("value" in outcome) return outcome.value;
  const { message, ...options } = outcome;
  throw new FileError(message, options);
}
