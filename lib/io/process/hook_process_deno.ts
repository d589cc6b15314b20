import type { HookEnd } from "../../gate/hooks/hook_run.ts";
import { codeOf } from "../runtime/file_fault.ts";
import type { HookCommand, HookListener, HookProcess, HookStream } from "./hook_process.ts";

/** The reason why Deno may not run hooks; undefined if it may. With a list of programs Deno cannot kill a group. */
export function missingFlag(): string | undefined {
  const { state } = Deno.permissions.querySync({ name: "run" });
  return state === "granted" ? undefined : "run with --allow-run, without a list of programs";
}

/** Starts a process by Deno's own calls. */
export function startHook(command: HookCommand, listener: HookListener): HookProcess {
  const missing = missingFlag();
  if (missing !== undefined) throw new Deno.errors.NotCapable(missing);
  const { program, args, cwd, env, isVerbatim } = command;
  const child = new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { ...env },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
    detached: command.killer === undefined,
    windowsRawArguments: isVerbatim,
  }).spawn();
  const readers = (["stdout", "stderr"] as const).map((name) => {
    const reader = child[name].getReader();
    void pump(reader, { name, listener });
    return reader;
  });
  const input = child.stdin.getWriter();
  return {
    ended: child.status.then(endOf),
    write: (bytes) => void writeTo(input, bytes),
    killAll: () => kill(child, command),
    release() {
      for (const reader of readers) void settled(reader.cancel());
      void settled(input.abort());
      child.unref();
    },
  };
}

function endOf({ code, signal }: Deno.CommandStatus): HookEnd {
  return signal === null ? { kind: "exited", status: code } : { kind: "killed", signal };
}

async function pump(
  reader: ReadableStreamDefaultReader<Uint8Array>,
  { name, listener }: { readonly name: HookStream; readonly listener: HookListener },
): Promise<void> {
  try {
    for (;;) {
      const { done, value } = await reader.read();
      if (done) break;
      listener.onOutput(name, value);
    }
    listener.onClosed(name, "end");
  } catch {
    // The rest of the stream is lost after any error.
    listener.onClosed(name, "broken");
  }
}

async function writeTo(
  input: WritableStreamDefaultWriter<Uint8Array>,
  bytes: Uint8Array,
): Promise<void> {
  await settled(input.write(bytes));
  await settled(input.close());
}

/** Waits for work and ignores its failure: it means that the process is gone or does not read. */
async function settled(work: Promise<unknown>): Promise<void> {
  await Promise.allSettled([work]);
}

function kill(child: Deno.ChildProcess, { killer }: HookCommand): void {
  try {
    if (killer === undefined) return Deno.kill(-child.pid, "SIGKILL");
    const { program, args } = killer(child.pid);
    const stdio = { stdin: "null", stdout: "null", stderr: "null" } as const;
    new Deno.Command(program, { args: [...args], ...stdio }).spawn().unref();
  } catch (error) {
    // The group is gone or cannot be killed; then at least the process itself is killed.
    if (codeOf(error) !== "ESRCH") killAlone(child);
  }
}

function killAlone(child: Deno.ChildProcess): void {
  try {
    child.kill("SIGKILL");
  } catch (error) {
    // The process has ended.
    if (!(error instanceof TypeError || error instanceof Deno.errors.NotFound)) throw error;
  }
}
