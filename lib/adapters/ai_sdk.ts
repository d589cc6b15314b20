import { isJsonObject } from "../text/json_value.ts";
import { type AdapterOptions, askGate, type DecidingGate } from "./ask_gate.ts";
import { decidedCalls } from "./decided_calls.ts";

/** The answer to the option `toolApproval` of the AI SDK. */
export interface AiSdkApproval {
  /** It runs, does not run, or a person is asked. */
  readonly type: "approved" | "denied" | "user-approval";
  /** Why, for the model or the person. */
  readonly reason?: string;
}

/** A function for the option `toolApproval` of the AI SDK. */
export type AiSdkToolApproval = (
  event: { readonly toolCall: unknown },
) => Promise<AiSdkApproval>;

/**
 * A gate as the option `toolApproval` of `generateText`, `streamText` and agents of the AI SDK (from version 7): allow, deny
 * and ask each have their own answer there, and a call that a person approved is decided again before it runs. Calls that a
 * provider runs by itself never get here.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { aiSdkToolApproval } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(rm:*)"\naction = "deny"\n');
 * const toolApproval = aiSdkToolApproval(createGate({ policy }));
 * // generateText({ model, tools, toolApproval, prompt })
 * const toolCall = { toolName: "Bash", toolCallId: "1", input: { command: "rm x" } };
 * console.log((await toolApproval({ toolCall })).type); // "denied"
 * ```
 */
export function aiSdkToolApproval(
  gate: DecidingGate,
  options: AdapterOptions = {},
): AiSdkToolApproval {
  return async (event) => {
    const call = isJsonObject(event?.toolCall) ? event.toolCall : {};
    const { toolName: tool, input, toolCallId: callId } = call;
    const answer = await askGate(gate, { tool, input, callId }, options);
    switch (answer.decision) {
      case "allow":
        return answer.isChanged
          ? { type: "denied", reason: "it is allowed only with a different input" }
          : { type: "approved" };
      case "deny":
        return { type: "denied", reason: answer.reason };
      case "ask":
        return { type: "user-approval", reason: answer.reason };
    }
  };
}

/** The part of a tool of the AI SDK that is changed. */
interface AiSdkTool {
  /** Its need of approval: a boolean, or a function that returns one. */
  readonly needsApproval?: unknown;
  /** Its code. */
  // deno-lint-ignore no-explicit-any -- each tool has its own types
  readonly execute?: ((input: any, options: any) => any) | undefined;
}

/**
 * Tools of the AI SDK with a gate in their `needsApproval` and before their `execute`, for a version without `toolApproval`;
 * one of the two is enough. What the gate denies needs approval as well, for there is no other word, and then fails with
 * the reason whoever approved it. A tool's own `needsApproval` still asks for what the gate allows. Of a tool that gives
 * results bit by bit only the last one arrives.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { aiSdkTools } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(ls:*)"\naction = "allow"\n');
 * const tools = aiSdkTools(createGate({ policy }), {
 *   Bash: { execute: ({ command }: { command: string }) => `ran ${command}` },
 * });
 * // generateText({ model, tools, prompt })
 * console.log(typeof tools.Bash.execute); // "function"
 * ```
 */
export function aiSdkTools<T extends Readonly<Record<string, object>>>(
  gate: DecidingGate,
  tools: T,
  options: AdapterOptions = {},
): T {
  const gated = Object.entries(tools).map(([name, tool]) => {
    return [name, gatedTool(gate, { name, tool, options })] as const;
  });
  return Object.fromEntries(gated) as T;
}

interface Gating {
  readonly name: string;
  readonly tool: AiSdkTool;
  readonly options: AdapterOptions;
}

interface ExecuteOptions {
  readonly toolCallId?: unknown;
  readonly abortSignal?: unknown;
}

function gatedTool(gate: DecidingGate, { name, tool, options }: Gating): AiSdkTool {
  const calls = decidedCalls(gate, options);
  const { execute, needsApproval } = tool;
  const callOf = (input: unknown, { toolCallId, abortSignal }: ExecuteOptions = {}) => {
    return { tool: name, input, callId: toolCallId, signal: abortSignal };
  };
  return {
    ...tool,
    async needsApproval(input: unknown, more?: ExecuteOptions) {
      const isAsked = await calls.needsApproval(callOf(input, more));
      return isAsked || await asksItself(needsApproval, { input, more });
    },
    ...(execute === undefined ? {} : {
      async execute(input: unknown, more?: ExecuteOptions) {
        const reason = await calls.refusal(callOf(input, more));
        if (reason !== undefined) throw new Error(`Cannot run "${name}": ${reason}`);
        return await lastOf(await execute.call(tool, input, more));
      },
    }),
  };
}

/** The tool's own `needsApproval`: anything but undefined and a plain false asks. */
async function asksItself(
  own: unknown,
  { input, more }: { readonly input: unknown; readonly more: ExecuteOptions | undefined },
): Promise<boolean> {
  const answer: unknown = typeof own === "function" ? await own(input, more) : own;
  return answer !== undefined && answer !== false;
}

/** A result; the last one of a tool that gives many. */
async function lastOf(result: unknown): Promise<unknown> {
  const isMany = typeof result === "object" && result !== null && Symbol.asyncIterator in result;
  if (!isMany) return result;
  let last: unknown;
  for await (const each of result as AsyncIterable<unknown>) last = each;
  return last;
}
