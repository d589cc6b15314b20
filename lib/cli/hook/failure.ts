import type { HookOutput } from "../../agents/hook/hook_protocol.ts";
import { type AgentName, isAgentName, loadHook } from "../../agents/registry.ts";
import { ANSWERED } from "../../agents/settings/watchdog.ts";
import { FileError, type Runtime } from "../../io/runtime/runtime.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { hookReason } from "../../text/hook_reason.ts";
import { WriteError } from "../errors/errors.ts";
import { partsOf, withInstallation } from "../errors/load_failure.ts";

/**
 * Tells an agent that caliban cannot decide, which stops the call: in the agent's own form, or where that is not known by
 * exit status 2. Of a policy's fault its place and sentence are told, none of its text: the model reads it.
 */
export async function hookFailure(
  error: unknown,
  { argv, runtime }: { readonly argv: readonly string[]; readonly runtime: Runtime },
): Promise<number> {
  const name = agentOf(argv);
  const doctor = name === undefined ? "caliban doctor" : `caliban doctor --agent ${name}`;
  const named = await withInstallation(error, runtime);
  const what = sentenceOf(named).replace(/\.$/, "");
  const reason = hookReason(
    `the call is stopped without a decision: ${what}. A person can run: ${doctor}`,
  );
  const reply: HookOutput = name !== undefined
    ? (await loadHook(name)).render({ decision: "deny", reason })
    : { stdout: "", stderr: `${reason}\n`, status: 2 };
  return await writeReply(reply, { runtime, isWatched: argv.includes(`--${WATCHED}`) });
}

/** The agent that a line is for: where install writes it, else the last that is named, since flags may have such values. */
function agentOf([, first, ...rest]: readonly string[]): AgentName | undefined {
  return isAgentName(first) ? first : rest.findLast(isAgentName);
}

/** One sentence about an error, with the place of a policy's first fault. */
export function sentenceOf(error: unknown): string {
  if (error instanceof PolicyError) {
    const [first, ...more] = error.problems;
    if (first !== undefined) {
      const { path, span, message } = first;
      const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
      return `${path}:${span.line}:${span.column}: ${message}${rest}`;
    }
  }
  const message = error instanceof Error ? partsOf(error.message).text : "";
  return message === "" ? "caliban has a bug" : message;
}

/** The flag of the line that `hook install` writes, whose watchdog takes no other status than `ANSWERED` for an answer. */
export const WATCHED = "watched";

/**
 * Writes a reply to an agent and answers the exit status. INVARIANT: where the reply does not reach the agent, the status
 * is 2, which is all that is left to stop the call with.
 */
export async function writeReply(
  reply: HookOutput,
  { runtime, isWatched }: { readonly runtime: Runtime; readonly isWatched: boolean },
): Promise<number> {
  const isHeard = await tryWrite(runtime, { stream: "stdout", text: reply.stdout });
  await tryWrite(runtime, { stream: "stderr", text: reply.stderr });
  if (!isHeard) return 2;
  return isWatched && reply.status === 0 ? ANSWERED : reply.status;
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
