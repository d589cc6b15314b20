import { type ClaudeForm, claudeHook } from "../hook/claude_form.ts";
import { SILENCE, stopOutput } from "../hook/hook_output.ts";

/** Its trust levels have these names too: safe is plan, moderate default, full acceptEdits. */
const MODES: ClaudeForm["modes"] = {
  plan: "plan",
  default: "default",
  acceptEdits: "acceptEdits",
  bypassPermissions: "bypassPermissions",
};

/** robota's hooks: exit status 0 proceeds, 2 blocks with standard error as the reason. */
export const hook = claudeHook(
  { agent: "robota", events: ["PreToolUse"], modes: MODES },
  (response) => response.decision === "deny" ? stopOutput(response) : SILENCE,
);
