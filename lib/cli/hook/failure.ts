import type { HookOutput } from "../../agents/hook/hook_protocol.ts";
import { type AgentName, isAgentName, loadHook } from "../../agents/registry.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { hookReason, writeReply } from "./reply.ts";

/**
 * Tells an agent that caliban cannot decide, which stops the call: in the agent's own form, or where that is not known by
 * exit status 2. Of a policy's fault its place and sentence are told, none of its text: the model reads it.
 */
export async function hookFailure(
  error: unknown,
  { argv, runtime }: { readonly argv: readonly string[]; readonly runtime: Runtime },
): Promise<number> {
  const name = agentOf(argv);
  const reason = hookReason(`the call is stopped without a decision: ${sentenceOf(error)}`);
  const reply: HookOutput = name !== undefined
    ? (await loadHook(name)).render({ decision: "deny", reason })
    : { stdout: "", stderr: `${reason}\n`, status: 2 };
  return await writeReply(runtime, reply);
}

/** The agent that a line is for: where install writes it, else the last that is named, since flags may have such values. */
function agentOf([, first, ...rest]: readonly string[]): AgentName | undefined {
  return isAgentName(first) ? first : rest.findLast(isAgentName);
}

function sentenceOf(error: unknown): string {
  if (error instanceof PolicyError) {
    const [first, ...more] = error.problems;
    if (first !== undefined) {
      const { path, span, message } = first;
      const rest = more.length === 0 ? "" : ` (and ${more.length} more)`;
      return `${path}:${span.line}:${span.column}: ${message}${rest}`;
    }
  }
  if (error instanceof Error && error.message !== "") return error.message;
  return "caliban has a bug";
}
