/**
 * A gate as agent SDKs take one. None of them is imported: what is asked for and answered is described by its shape, and
 * `deno task test:peers` holds the shapes to the real packages.
 *
 * @example
 * ```ts
 * import { createGate, policyFromToml } from "@caliban/perms/core";
 * import { claudeCanUseTool, claudeHooks } from "@caliban/perms/adapters";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Bash(ls:*)"\naction = "allow"\n');
 * const gate = createGate({ policy, headless: true });
 * const options = { hooks: claudeHooks(gate), canUseTool: claudeCanUseTool(gate) };
 * console.log(Object.keys(options)); // [ "hooks", "canUseTool" ]
 * ```
 *
 * @module
 */
export type { AdapterOptions, DecidingGate } from "./ask_gate.ts";
export {
  type ClaudeCanUseTool,
  claudeCanUseTool,
  type ClaudeHook,
  type ClaudeHookOutput,
  type ClaudeHooks,
  claudeHooks,
  type ClaudePermission,
  type ClaudeQuestion,
} from "./claude_agent.ts";
export {
  type OpenAiGateOptions,
  type OpenAiGuardrail,
  type OpenAiGuardrailOutput,
  type OpenAiToolGate,
  openaiToolGate,
} from "./openai_agents.ts";
export {
  type AiSdkApproval,
  type AiSdkOptions,
  type AiSdkToolApproval,
  aiSdkToolApproval,
  aiSdkTools,
} from "./ai_sdk.ts";
