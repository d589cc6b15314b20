import { isJsonObject } from "../text/json_value.ts";
import { type AdapterOptions, askGate, type DecidingGate } from "./ask_gate.ts";
import { decidedCalls, isSame, jsonOf, OTHER_INPUT, type WaitingCalls } from "./decided_calls.ts";
import { isApproved, shownInputs } from "./shown_inputs.ts";

/** The answer to the option `toolApproval` of the AI SDK. */
export interface AiSdkApproval {
  /** It runs, does not run, or a person is asked. */
  readonly type: "approved" | "denied" | "user-approval";
  /** Why, for the model or the person. */
  readonly reason?: string;
}

/** Options of the adapters for the AI SDK. */
export interface AiSdkOptions extends AdapterOptions {
  /**
   * The approvals that count. `shown` when left out: those of inputs that this process has seen asked about. `signed`: all that
   * the SDK takes; for several processes, together with the SDK's `experimental_toolApprovalSecret`.
   */
  readonly approvals?: "shown" | "signed";
}

/** A function for the option `toolApproval` of the AI SDK. */
export type AiSdkToolApproval = (
  event: { readonly toolCall: unknown; readonly messages?: unknown },
) => Promise<AiSdkApproval>;

/**
 * A gate as the option `toolApproval` of `generateText`, `streamText` and agents of the AI SDK (from version 7): allow, deny
 * and ask each have their own answer there, and a call that a person approved is decided again before it runs. The approval
 * holds for the input that was asked about: the SDK takes the call from messages that a client may keep and change. Calls
 * that a provider runs by itself never get here.
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
  options: AiSdkOptions = {},
): AiSdkToolApproval {
  const shown = shownInputs(gate);
  return async (event) => {
    const call = isJsonObject(event?.toolCall) ? event.toolCall : {};
    const { toolName: tool, toolCallId: callId } = call;
    const input = jsonOf(call.input);
    const answer = await askGate(gate, { tool, input, callId }, options);
    // The SDK runs its own object: what it holds now must be what was decided.
    if (answer.decision !== "deny" && !isSame(jsonOf(call.input), input)) {
      return { type: "denied", reason: "its input changed while it was decided" };
    }
    switch (answer.decision) {
      case "allow":
        return answer.isChanged
          ? { type: "denied", reason: "it is allowed only with a different input" }
          : { type: "approved" };
      case "deny":
        return { type: "denied", reason: answer.reason };
      case "ask": {
        const isNew = options.approvals === "signed" || !isApproved(event.messages, callId);
        const isShown = shown.keep({ tool, callId, input }, isNew ? "new" : "approved");
        return isShown
          ? { type: "user-approval", reason: answer.reason }
          : { type: "denied", reason: `${OTHER_INPUT}; ${answer.reason}` };
      }
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
 * one of the two is enough. A call that the gate denies needs approval as well, because the SDK has no other word for it. It
 * then fails with the reason, even if a person approved it. A tool's own `needsApproval` still asks about calls that the gate
 * allows. The tool runs with a frozen copy of the decided input. Of a tool that streams its results only the last one arrives.
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
  options: AiSdkOptions = {},
): T {
  const gated = Object.entries(tools).map(([name, tool]) => {
    return [name, gatedTool(gate, { name, tool, options })] as const;
  });
  return Object.fromEntries(gated) as T;
}

interface Gating {
  readonly name: string;
  readonly tool: AiSdkTool;
  readonly options: AiSdkOptions;
}

interface ExecuteOptions {
  readonly toolCallId?: unknown;
  readonly abortSignal?: unknown;
  readonly messages?: unknown;
}

function gatedTool(gate: DecidingGate, { name, tool, options }: Gating): AiSdkTool {
  const calls = decidedCalls(gate, { ...options, waiting: waitingFor(gate) });
  const { execute, needsApproval } = tool;
  const callOf = (input: unknown, { toolCallId, abortSignal }: ExecuteOptions = {}) => {
    return { tool: name, input, callId: toolCallId, signal: abortSignal };
  };
  return {
    ...tool,
    async needsApproval(given: unknown, more?: ExecuteOptions) {
      const input = jsonOf(given);
      const state = stateOf(more, options);
      const isAsked = await calls.needsApproval(callOf(input, more), { state });
      return isAsked || await asksItself(needsApproval, { input, more });
    },
    ...(execute === undefined ? {} : {
      async execute(given: unknown, more?: ExecuteOptions) {
        const admission = await calls.admit(callOf(given, more));
        if (!admission.runs) throw new Error(`Cannot run "${name}": ${admission.reason}`);
        return await lastOf(await execute.call(tool, admission.input, more));
      },
    }),
  };
}

const WAITING = new WeakMap<DecidingGate, WaitingCalls>();

/** The calls of a gate that wait: tools that are made anew for each request share them. */
function waitingFor(gate: DecidingGate): WaitingCalls {
  const waiting = WAITING.get(gate) ?? new Map();
  WAITING.set(gate, waiting);
  return waiting;
}

/** The state of a call that the SDK asks about; `unknown` for a version that hands over no messages. */
function stateOf(
  { messages, toolCallId }: ExecuteOptions = {},
  { approvals }: AiSdkOptions,
): "new" | "approved" | "unknown" {
  if (approvals === "signed") return "new";
  if (!Array.isArray(messages)) return "unknown";
  return isApproved(messages, toolCallId) ? "approved" : "new";
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
