import type { AdapterOptions, DecidingGate } from "./ask_gate.ts";
import { decidedCalls } from "./decided_calls.ts";
import type { InputSchema } from "../gate/gate_parts.ts";

/** The answer of a tool guardrail of the OpenAI Agents SDK. */
export interface OpenAiGuardrailOutput {
  /** The tool runs, or the model is told why it does not. */
  readonly behavior:
    | { readonly type: "allow" }
    | { readonly type: "rejectContent"; readonly message: string };
}

/** A tool guardrail of the OpenAI Agents SDK. */
export interface OpenAiGuardrail {
  /** When it is asked: before the tool runs. */
  readonly type: "tool_input";
  /** Its name, for traces. */
  readonly name: string;
  /** Is asked. */
  readonly run: (
    event: { readonly toolCall: { readonly arguments: string; readonly callId: string } },
  ) => Promise<OpenAiGuardrailOutput>;
}

/** Options of `openaiToolGate`. */
export interface OpenAiGateOptions extends AdapterOptions {
  /**
   * The tool's `parameters`, where these are a zod schema that adds members (defaults): the SDK hands over the input now
   * with them, now without, and an approval holds for the whole.
   */
  readonly schema?: InputSchema;
}

/** The members that a gate adds to a tool of the OpenAI Agents SDK. */
export interface OpenAiToolGate {
  /** True if a person must approve a call: the gate asks, denies or fails. */
  readonly needsApproval: (
    context: unknown,
    input: unknown,
    callId?: string,
  ) => Promise<boolean>;
  /** Stops what the gate denies, also after it was approved. */
  readonly inputGuardrails: OpenAiGuardrail[];
}

/**
 * A gate for a tool of the OpenAI Agents SDK, to be spread into `tool({ … })`; `tool` is its name in rules. An ask that the
 * gate leaves open interrupts the run. A deny does too, and no approval lifts it; with
 * `toolExecution: { preApprovalInputGuardrails: true }` in the runner's configuration no person sees it. The SDK's
 * “always approve” does not answer the gate's asks: a rule does.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { openaiToolGate } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(ls:*)"\naction = "allow"\n');
 * const gated = openaiToolGate(createGate({ policy }), "Bash");
 * // tool({ name: "shell", parameters, execute, ...gated })
 * console.log(await gated.needsApproval({}, { command: "ls" }, "call_1")); // false
 * console.log(await gated.needsApproval({}, { command: "rm x" }, "call_2")); // true
 * ```
 */
export function openaiToolGate(
  gate: DecidingGate,
  tool: string,
  options: OpenAiGateOptions = {},
): OpenAiToolGate {
  const calls = decidedCalls(gate, options);
  return {
    needsApproval: (_context, input, callId) => calls.needsApproval({ tool, input, callId }),
    inputGuardrails: [{
      type: "tool_input",
      name: "caliban",
      async run(event) {
        const { callId, arguments: text } = event?.toolCall ?? {};
        const admission = await calls.admit({ tool, input: parsed(text), callId });
        return { behavior: admission.runs ? { type: "allow" } : rejected(admission.reason) };
      },
    }],
  };
}

function rejected(message: string): OpenAiGuardrailOutput["behavior"] {
  return { type: "rejectContent", message: `not run: ${message}` };
}

/** The arguments; undefined, which no gate allows, where they are no JSON. */
function parsed(text: unknown): unknown {
  if (typeof text !== "string") return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
