import { codeOf } from "../runtime/file_fault.ts";
import { FileError } from "../runtime/runtime.ts";
import {
  ENDING,
  notStarted,
  type ServerProcess,
  type ServerProcesses,
  statusOf,
  stopGroup,
} from "./server_process.ts";

/** As `ServerProcesses` has it. Deno ends a process group only without a list of programs. */
export const requireFlags: ServerProcesses["requireFlags"] = ({ program, path }) => {
  const isGranted = (descriptor: Deno.PermissionDescriptor) =>
    Deno.permissions.querySync(descriptor).state === "granted";
  if (!isGranted({ name: "run" })) {
    const message = `Cannot start "${program}": run with --allow-run, without a list of programs`;
    throw new FileError(message, { path: program, fault: "missing-flag" });
  }
  if (path !== undefined && !isGranted({ name: "write", path })) {
    const message = `Cannot write "${path}": run with --allow-write`;
    throw new FileError(message, { path, fault: "missing-flag" });
  }
};

/** As `ServerProcesses` has it. Deno's own call, since that of `node:` adds permissions to a command of Deno. */
export const startServer: ServerProcesses["startServer"] = ([program = "", ...args]) => {
  try {
    const child = new Deno.Command(program, {
      args,
      stdin: "piped",
      stdout: "piped",
      stderr: "inherit",
      detached: Deno.build.os !== "windows",
    }).spawn();
    return Promise.resolve(serverOf(child));
  } catch (cause) {
    const isMissing = cause instanceof Deno.errors.NotFound;
    return Promise.reject(notStarted(program, { cause, isMissing }));
  }
};

function serverOf(child: Deno.ChildProcess): ServerProcess {
  const input = child.stdin.getWriter();
  const encoder = new TextEncoder();
  let last: Promise<unknown> = Promise.resolve();
  const ended = child.status.then(({ code, signal }) => {
    // Processes that it started may still run.
    kill(child, "SIGKILL");
    return signal === null ? code : statusOf(signal);
  });
  return {
    output: outputOf(child.stdout),
    ended,
    write(line) {
      // A server that has ended or closed its input reads nothing, which is no error.
      last = input.write(encoder.encode(`${line}\n`)).catch(() => {});
    },
    async drained() {
      await Promise.race([last, ended]);
    },
    endInput: () => void input.close().catch(() => {}),
    stop: () => stopGroup((signal) => kill(child, signal), ended),
  };
}

async function* outputOf(stdout: ReadableStream<Uint8Array>): AsyncIterable<Uint8Array> {
  try {
    yield* stdout;
  } catch {
    // The rest of the output is lost; the end of the process says more.
  }
}

function kill(child: Deno.ChildProcess, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    if (Deno.build.os === "windows") child.kill(signal);
    else Deno.kill(-child.pid, signal);
  } catch (error) {
    // Nothing of the group runs any more.
    const isGone = error instanceof Deno.errors.NotFound || error instanceof TypeError;
    if (!isGone && codeOf(error) !== "ESRCH") throw error;
  }
}

/** As `ServerProcesses` has it. */
export const writeOut: ServerProcesses["writeOut"] = async (bytes) => {
  for (let written = 0; written < bytes.length;) {
    try {
      written += await Deno.stdout.write(bytes.subarray(written));
    } catch (error) {
      if (error instanceof Deno.errors.BrokenPipe) return false;
      if (!(error instanceof Deno.errors.WouldBlock)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  }
  return true;
};

/** The time until a write to a full pipe is tried again, in ms. */
const RETRY_MS = 5;

/** As `ServerProcesses` has it. */
export const onSignals: ServerProcesses["onSignals"] = (listener) => {
  // Windows knows no other one.
  const signals = Deno.build.os === "windows" ? ["SIGINT"] as const : ENDING;
  const listeners = signals.map((signal) => {
    const own = () => listener(statusOf(signal));
    Deno.addSignalListener(signal, own);
    return () => Deno.removeSignalListener(signal, own);
  });
  return () => listeners.forEach((cancel) => cancel());
};
