import { CLAUDE_MODES, claudeHook } from "../hook/claude_form.ts";
import {
  claudeDecision,
  jsonOutput,
  requestOutput,
  silence,
  stopOutput,
} from "../hook/hook_output.ts";
import type { HookOutput, HookResponse } from "../hook/hook_protocol.ts";

/** Codex's hooks. An allow or an ask before a tool is a failed hook, and a failed hook lets the call run. */
export const hook = claudeHook({
  agent: "codex",
  events: ["PreToolUse", "PermissionRequest"],
  modes: CLAUDE_MODES,
}, render);

function render(response: HookResponse): HookOutput {
  if (response.event === undefined) return stopOutput(response);
  if (response.event === "PermissionRequest") {
    const { exactCommand: _, ...rest } = response;
    return requestOutput(rest);
  }
  return response.decision === "deny"
    ? jsonOutput(claudeDecision(response.decision, response.reason))
    : silence(response);
}
