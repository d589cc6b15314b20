import type { ChildProcessWithoutNullStreams } from "node:child_process";
import type { HookEnd } from "../../gate/hooks/hook_run.ts";
import { codeOf } from "../runtime/file_fault.ts";
import type { HookCommand, HookListener, HookProcess } from "./hook_process.ts";

/** Starts a process as Bun and Node do. */
export function startHook(command: HookCommand, listener: HookListener): HookProcess {
  const { program, args, cwd, env, isVerbatim, killer } = command;
  const child = spawner()(program, args, {
    cwd,
    env: { ...process.env, ...env },
    detached: killer === undefined,
    windowsHide: true,
    windowsVerbatimArguments: isVerbatim,
  });
  // Comes first: an error without a listener would end this process.
  const ended = endOf(child);
  if (!hasStreams(child)) return { ended, write() {}, killAll() {}, release() {} };
  for (const name of ["stdout", "stderr"] as const) {
    child[name].on("data", (bytes: Uint8Array) => listener.onOutput(name, bytes));
    child[name].on("error", () => listener.onClosed(name, "broken"));
    child[name].on("end", () => listener.onClosed(name, "end"));
  }
  // A process that has ended or closed its input reads nothing, which is no error.
  child.stdin.on("error", () => child.stdin.destroy());
  return {
    ended,
    write: (bytes) => void child.stdin.end(bytes),
    killAll: () => kill(child, command),
    release() {
      for (const stream of [child.stdin, child.stdout, child.stderr]) stream.destroy();
      child.unref();
    },
  };
}

/** Loaded on demand: an import of `node:` would be hoisted to the start of a bundle, under Deno too. */
function spawner(): typeof import("node:child_process").spawn {
  return process.getBuiltinModule("node:child_process").spawn;
}

/** False if no file descriptor was left: then the streams are missing, despite their type, and an error event follows. */
function hasStreams(child: Partial<ChildProcessWithoutNullStreams>): boolean {
  return Boolean(child.stdin && child.stdout && child.stderr);
}

function endOf(child: ChildProcessWithoutNullStreams): Promise<HookEnd> {
  return new Promise((resolve) => {
    child.on("error", (error) => resolve({ kind: "not-started", detail: error.message }));
    child.on("exit", (status, signal) =>
      resolve(
        status === null
          ? { kind: "killed", signal: signal ?? "a signal" }
          : { kind: "exited", status },
      ));
  });
}

function kill(child: ChildProcessWithoutNullStreams, { killer }: HookCommand): void {
  const { pid } = child;
  if (pid === undefined) return;
  if (killer !== undefined) {
    const { program, args } = killer(pid);
    const ending = spawner()(program, args, { stdio: "ignore", windowsHide: true });
    // Without it at least the process itself is killed.
    ending.on("error", () => child.kill("SIGKILL"));
    return ending.unref();
  }
  try {
    process.kill(-pid, "SIGKILL");
  } catch (error) {
    // The group is gone or cannot be killed.
    if (codeOf(error) !== "ESRCH") child.kill("SIGKILL");
  }
}
