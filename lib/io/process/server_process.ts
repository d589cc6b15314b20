import { FileError, type Runtime } from "../runtime/runtime.ts";

/** A server that was started, in a process group of its own. */
export interface ServerProcess {
  /** Its standard output as it comes; ends when it cannot be read any more. */
  readonly output: AsyncIterable<Uint8Array>;
  /** Its exit status; 128 and the signal's number for a signal. Never rejects. */
  readonly ended: Promise<number>;
  /** Writes a line; nothing if it does not read any more. */
  write(line: string): void;
  /** Resolves when it has taken what was written, or does not read any more. */
  drained(): Promise<void>;
  /** Ends its standard input. */
  endInput(): void;
  /** Asks its group to end, and ends it after a while. */
  stop(): void;
}

/** The processes of a runtime. */
export interface ServerProcesses {
  /**
   * Starts a server with the variables and the folder of this process, and its standard error as this one's. Rejects with
   * FileError if it cannot be started.
   */
  startServer(command: readonly string[]): Promise<ServerProcess>;
  /** Calls a listener when somebody asks this process to end, with the exit status for it, until it is cancelled. */
  onSignals(listener: (status: number) => void): () => void;
  /** Writes bytes to this process's standard output while other work goes on. False for a closed pipe; rejects for other faults. */
  writeOut(bytes: Uint8Array): Promise<boolean>;
  /** Throws FileError `missing-flag` where the runtime must not start programs, or not write a file. */
  requireFlags(needed: { readonly program: string; readonly path: string | undefined }): void;
}

/** The processes of this runtime; the other one's file is not loaded. */
export async function serverProcesses(runtime: Pick<Runtime, "name">): Promise<ServerProcesses> {
  if (runtime.name === "deno") return await import("./server_process_deno.ts");
  return await import("./server_process_node.ts");
}

/** The time between the request to end and the end by force, in ms. */
const GRACE_MS = 1_000;

/** Ends a group: at once by request, by force when it has not ended after a while. */
export function stopGroup(
  kill: (signal: "SIGTERM" | "SIGKILL") => void,
  ended: Promise<unknown>,
): void {
  kill("SIGTERM");
  const timer = setTimeout(() => kill("SIGKILL"), GRACE_MS);
  void ended.then(() => clearTimeout(timer));
}

/** The signals by which this process is asked to end. */
export const ENDING = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

const NUMBERS: Readonly<Record<string, number>> = { SIGHUP: 1, SIGINT: 2, SIGKILL: 9, SIGTERM: 15 };

/** The exit status that stands for a signal. */
export function statusOf(signal: string): number {
  return 128 + (NUMBERS[signal] ?? 0);
}

/** The error about a program that did not start. */
export function notStarted(
  program: string,
  { cause, isMissing }: { readonly cause: unknown; readonly isMissing: boolean },
): FileError {
  const detail = cause instanceof Error ? cause.message : String(cause);
  const why = isMissing ? "there is no such program" : detail;
  const message = `Cannot start the server "${program}": ${why}`;
  return new FileError(message, { path: program, fault: isMissing ? "not-found" : "other", cause });
}
