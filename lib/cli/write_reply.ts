import type { Reply } from "../agents/agent.ts";
import { FileError, type Runtime } from "../io/runtime/runtime.ts";
import { WriteError } from "./errors.ts";

/**
 * Writes a reply to an agent and answers the exit status. INVARIANT: where the reply does not reach the agent, the status
 * is 2, which is all that is left to stop the call with.
 */
export async function writeReply(runtime: Runtime, reply: Reply): Promise<number> {
  const isHeard = await tryWrite(runtime, { stream: "stdout", text: reply.stdout });
  await tryWrite(runtime, { stream: "stderr", text: reply.stderr });
  return isHeard ? reply.status : 2;
}

/** Writes what nothing depends on; false where the stream does not take it. */
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
