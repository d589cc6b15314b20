import type { HookOutput } from "../../agents/hook/hook_protocol.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { visible } from "../../text/visible.ts";
import { WriteError } from "../errors/errors.ts";

/**
 * Writes a reply to an agent and answers the exit status. INVARIANT: where the reply does not reach the agent, the status
 * is 2, which is all that is left to stop the call with.
 */
export async function writeReply(runtime: Runtime, reply: HookOutput): Promise<number> {
  const isHeard = await tryWrite(runtime, { stream: "stdout", text: reply.stdout });
  await tryWrite(runtime, { stream: "stderr", text: reply.stderr });
  return isHeard ? reply.status : 2;
}

/** Writes text that nothing depends on; returns false if the stream fails. */
export async function tryWrite(
  runtime: Runtime,
  { stream, text }: { readonly stream: "stdout" | "stderr"; readonly text: string },
): Promise<boolean> {
  try {
    return text === "" || await runtime.write(stream, text);
  } catch (error) {
    if (error instanceof FileError || error instanceof WriteError) return false;
    throw error;
  }
}

/** Longer reasons are cut: agents cut what is longer than some thousand characters, or leave it out. */
const LONGEST = 1000;

/** A reason for an agent: one line with the prefix `caliban:`, never empty, without hidden characters. */
export function hookReason(reason: string): string {
  const line = visible(reason.replaceAll(/\s+/g, " ").trim()) || "the policy says so";
  const cut = line.length > LONGEST ? `${line.slice(0, LONGEST).toWellFormed()}…` : line;
  return `caliban: ${cut}`;
}
