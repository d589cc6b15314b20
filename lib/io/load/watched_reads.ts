import { FileError, type Runtime } from "../runtime/runtime.ts";

/** A runtime that remembers what it read. */
export interface WatchedReads {
  readonly runtime: Runtime;
  /** Remembers no more: later reads are about calls. */
  end(): void;
  /** True if every file and folder that was read is as it was. */
  isSame(): boolean;
}

const READS = ["readText", "stat", "isThere", "realPath", "listFolder"] as const;

/** A runtime whose reads of files and folders can be repeated, to see if anything has changed. */
export function watchedReads(runtime: Runtime): WatchedReads {
  const seen = new Map<string, { readonly read: () => unknown; readonly was: string }>();
  let isOver = false;
  const watching = Object.fromEntries(READS.map((name) => {
    const method: (path: string) => unknown = runtime[name].bind(runtime);
    return [name, (path: string) => {
      const read = () => method(path);
      const key = `${name} ${path}`;
      if (!isOver && !seen.has(key)) seen.set(key, { read, was: outcomeOf(read) });
      return read();
    }];
  }));
  return {
    // The methods have the types of those that they stand for.
    runtime: { ...runtime, ...watching } as Runtime,
    end: () => void (isOver = true),
    isSame: () => [...seen.values()].every(({ read, was }) => outcomeOf(read) === was),
  };
}

/** The value of a read, or its fault, as one text. */
function outcomeOf(read: () => unknown): string {
  try {
    return JSON.stringify(["value", read() ?? null]);
  } catch (error) {
    if (error instanceof FileError) return JSON.stringify([error.fault, error.message]);
    throw error;
  }
}
