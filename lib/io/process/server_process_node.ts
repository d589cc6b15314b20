import { type ChildProcessByStdio, spawn } from "node:child_process";
import process from "node:process";
import type { Readable, Writable } from "node:stream";
import { codeOf } from "../runtime/file_fault.ts";
import {
  ENDING,
  notStarted,
  type ServerProcess,
  type ServerProcesses,
  statusOf,
  stopGroup,
} from "./server_process.ts";

type Child = ChildProcessByStdio<Writable, Readable, null>;

/** As `ServerProcesses` has it: these runtimes have no flags. */
export const requireFlags: ServerProcesses["requireFlags"] = () => {};

/** As `ServerProcesses` has it. */
export const startServer: ServerProcesses["startServer"] = ([program = "", ...args]) =>
  new Promise((resolve, reject) => {
    const child = spawn(program, args, {
      stdio: ["pipe", "pipe", "inherit"],
      detached: process.platform !== "win32",
      windowsHide: true,
    });
    child.on(
      "error",
      (cause) => reject(notStarted(program, { cause, isMissing: codeOf(cause) === "ENOENT" })),
    );
    child.on("spawn", () => resolve(serverOf(child)));
  });

function serverOf(child: Child): ServerProcess {
  const { stdin, stdout } = child;
  const ended = new Promise<number>((resolve) => {
    child.on("exit", (status, signal) => {
      // Processes that it started may still run.
      kill(child, "SIGKILL");
      resolve(status ?? statusOf(signal ?? ""));
    });
  });
  // A server that has ended or closed its input reads nothing, which is no error.
  stdin.on("error", () => stdin.destroy());
  return {
    output: outputOf(stdout),
    ended,
    write(line) {
      if (stdin.writable) stdin.write(`${line}\n`);
    },
    drained: () => drained(stdin),
    endInput: () => void stdin.end(),
    stop: () => stopGroup((signal) => kill(child, signal), ended),
  };
}

async function* outputOf(stdout: Readable): AsyncIterable<Uint8Array> {
  try {
    yield* stdout;
  } catch {
    // The rest of the output is lost; the end of the process says more.
  }
}

function drained(stdin: Writable): Promise<void> {
  if (!stdin.writableNeedDrain || !stdin.writable) return Promise.resolve();
  return new Promise((resolve) => {
    for (const event of ["drain", "close", "error"]) stdin.once(event, () => resolve());
  });
}

function kill(child: Child, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (child.pid === undefined || process.platform === "win32") child.kill(signal);
    else process.kill(-child.pid, signal);
  } catch (error) {
    // Nothing of the group runs any more.
    if (codeOf(error) !== "ESRCH") throw error;
  }
}

/** As `ServerProcesses` has it. */
export const writeOut: ServerProcesses["writeOut"] = (bytes) => {
  const { stdout } = process;
  // The write itself tells the fault.
  if (stdout.listenerCount("error") === 0) stdout.on("error", () => {});
  return new Promise((resolve) => {
    if (!stdout.writable) return resolve(false);
    stdout.write(bytes, (error) => resolve(error === undefined || error === null));
  });
};

/** As `ServerProcesses` has it. */
export const onSignals: ServerProcesses["onSignals"] = (listener) => {
  const listeners = ENDING.map((signal) => {
    const own = () => listener(statusOf(signal));
    process.on(signal, own);
    return () => process.off(signal, own);
  });
  return () => listeners.forEach((cancel) => cancel());
};
