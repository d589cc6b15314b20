import type { HookEnd } from "../../gate/hooks/hook_run.ts";
import type { ShellCommand } from "../../gate/hooks/shell_command.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** One of the two streams that a hook writes. */
export type HookStream = "stdout" | "stderr";

/** What is started. */
export interface HookCommand extends ShellCommand {
  /** The folder it runs in. */
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env: Readonly<Record<string, string>>;
}

/** Who is told what a process writes. */
export interface HookListener {
  /** A piece of what it wrote. */
  onOutput(stream: HookStream, bytes: Uint8Array): void;
  /** Nothing more comes: everybody who could write has ended, or, with `broken`, the rest cannot be read. */
  onClosed(stream: HookStream, how: "end" | "broken"): void;
}

/** A process that was started, in a group of its own. */
export interface HookProcess {
  /** How it ended; what it started may still run then. Never rejects. */
  readonly ended: Promise<HookEnd>;
  /** Writes all to its standard input and closes that; whether it reads is its own affair. Does not wait, never throws. */
  write(bytes: Uint8Array): void;
  /** Kills it with everything in its group. To be called only before it has ended. Never throws. */
  killAll(): void;
  /** Lets go of it: nothing is read any more, and it holds up nobody's end. Never throws. */
  release(): void;
}

/** Starts a process. Throws what the runtime throws when that fails at once. */
export type StartHook = (command: HookCommand, listener: HookListener) => HookProcess;

/** How this runtime starts a process; the other one's file is not loaded. */
export async function hookStarter(runtime: Pick<Runtime, "name">): Promise<StartHook> {
  if (runtime.name === "deno") return (await import("./hook_process_deno.ts")).startHook;
  return (await import("./hook_process_node.ts")).startHook;
}

/** Why hooks cannot be run here, as a message for people; undefined when they can. */
export async function whyNoHooks(runtime: Pick<Runtime, "name">): Promise<string | undefined> {
  if (runtime.name !== "deno") return undefined;
  return (await import("./hook_process_deno.ts")).missingFlag();
}
