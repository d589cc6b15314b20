import type { HookEnd, ShellCommand } from "../../gate/hooks/hook_run.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** One of the two streams that a hook writes. */
export type HookStream = "stdout" | "stderr";

/** The command to start. */
export interface HookCommand extends ShellCommand {
  /** The folder it runs in. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** A listener to the output of a process. */
export interface HookListener {
  /** A part of the output. */
  onOutput(stream: HookStream, bytes: Uint8Array): void;
  /** The stream has ended: `end` if all writers have ended, `broken` if the rest cannot be read. */
  onClosed(stream: HookStream, how: "end" | "broken"): void;
}

/** A process that was started, in a group of its own. */
export interface HookProcess {
  /** The end of the process; its own children may still run. Never rejects. */
  readonly ended: Promise<HookEnd>;
  /** Writes to its standard input and closes that, even if the process does not read. Does not wait, never throws. */
  write(bytes: Uint8Array): void;
  /** Kills it with its whole group. To be called only before it has ended. Never throws. */
  killAll(): void;
  /** Detaches from the process: reads no more, and does not keep this process alive. Never throws. */
  release(): void;
}

/** Starts a process. Throws what the runtime throws when that fails at once. */
export type StartHook = (command: HookCommand, listener: HookListener) => HookProcess;

/** Returns the function with which this runtime starts processes; the other one's file is not loaded. */
export async function hookStarter(runtime: Pick<Runtime, "name">): Promise<StartHook> {
  if (runtime.name === "deno") return (await import("./hook_process_deno.ts")).startHook;
  return (await import("./hook_process_node.ts")).startHook;
}

/** Throws FileError `missing-flag` where the runtime must not run hooks. */
export async function requireHooks(runtime: Pick<Runtime, "name">): Promise<void> {
  if (runtime.name !== "deno") return;
  const missing = (await import("./hook_process_deno.ts")).missingFlag();
  if (missing === undefined) return;
  throw new FileError(`Cannot run hooks: ${missing}`, { path: "hooks", fault: "missing-flag" });
}
