import process from "node:process";
import { pathToFileURL } from "node:url";
import { parentPort, Worker, workerData } from "node:worker_threads";
import { ownProgram } from "../runtime/own_program.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** A thread of this process that runs the same command line, and ends with the process. */
export interface Thread {
  /** Sends a message, and resolves to its answer. Rejects once the thread has ended. */
  ask(message: unknown): Promise<unknown>;
  /** Ends it. */
  end(): void;
}

/** The name under which a thread finds its data. */
const OWN = "caliban";

/** The first message of a thread. */
const LISTENING = "listening";

/** The data that this thread was started with; undefined in the main one. */
export function threadInput(): unknown {
  const data: unknown = workerData;
  return typeof data === "object" && data !== null && OWN in data ? data[OWN] : undefined;
}

/** Starts a thread. No program is started, so that Deno wants the permission to read its files alone. Throws FileError without. */
export function startThread(runtime: Pick<Runtime, "name" | "platform">, data: unknown): Thread {
  const { form, file } = ownProgram(runtime);
  if (runtime.name === "deno" && !mayRead(file)) {
    const message = `Cannot start a thread of "${file}": run with --allow-read`;
    throw new FileError(message, { path: file, fault: "missing-flag" });
  }
  // A compiled program has its files within.
  const entry = form === "compiled" ? process.argv[1]! : pathToFileURL(file);
  const worker = new Worker(entry, { workerData: { [OWN]: data }, argv: process.argv.slice(2) });
  const waiting: Omit<PromiseWithResolvers<unknown>, "promise">[] = [];
  let ended: Error | undefined;
  const end = (error: Error) => {
    ended ??= error;
    for (const each of waiting.splice(0)) each.reject(ended);
  };
  // Under Deno a message is lost that comes before the thread listens.
  let unsent: unknown[] | undefined = [];
  worker.once("message", () => {
    const early = unsent ?? [];
    unsent = undefined;
    for (const message of early) worker.postMessage(message);
    worker.on("message", (answer: unknown) => waiting.shift()?.resolve(answer));
  });
  worker.on("error", (cause: unknown) => end(new Error("the thread failed", { cause })));
  worker.on("exit", () => end(new Error("the thread has ended")));
  return {
    ask(message) {
      if (ended !== undefined) return Promise.reject(ended);
      // Node 20 lacks Promise.withResolvers.
      return new Promise((resolve, reject) => {
        waiting.push({ resolve, reject });
        if (unsent === undefined) worker.postMessage(message);
        else unsent.push(message);
      });
    },
    end: () => void worker.terminate(),
  };
}

function mayRead(path: string): boolean {
  return Deno.permissions.querySync({ name: "read", path }).state === "granted";
}

/** Answers the messages of the main thread, one after the other. Never resolves; an answer that rejects ends the thread. */
export function answerMessages(answer: (message: unknown) => Promise<unknown>): Promise<never> {
  return new Promise((_, reject) => {
    let last: Promise<void> = Promise.resolve();
    parentPort!.on("message", (message: unknown) => {
      last = last.then(async () => parentPort!.postMessage(await answer(message)));
      last.catch(reject);
    });
    parentPort!.postMessage(LISTENING);
  });
}
