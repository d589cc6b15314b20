// The input and output of `caliban hook claude`, held to the SDK's own types by tsc; `deno task test:peers` runs it first.
import type {
  PermissionRequestHookInput,
  PreToolUseHookInput,
  SyncHookJSONOutput,
} from "@anthropic-ai/claude-agent-sdk";
import { claudeDecision, requestDecision } from "../../lib/agents/hook/hook_output.ts";

/** Every form of a reply. */
export const REPLIES: readonly SyncHookJSONOutput[] = [
  ...(["allow", "ask", "deny"] as const).map((emission) => claudeDecision(emission, "why")),
  ...(["allow", "deny"] as const).flatMap((emission) =>
    requestDecision({ decision: emission, reason: "why", exactCommand: "ls" }) ?? []
  ),
];

const BASE = { session_id: "s", transcript_path: "/t", tool_name: "Bash" };

/** The event before a command runs in a folder. */
export function beforeCommand(command: string, cwd: string): PreToolUseHookInput {
  const tool_input = { command };
  return { ...BASE, cwd, tool_input, hook_event_name: "PreToolUse", tool_use_id: "t" };
}

/** The event before a person is asked about a command. */
export function commandQuestion(command: string, cwd: string): PermissionRequestHookInput {
  return { ...BASE, cwd, tool_input: { command }, hook_event_name: "PermissionRequest" };
}

/** The answer that a hook printed. */
export function outputOf(text: string): SyncHookJSONOutput {
  return JSON.parse(text);
}
