import { CLAUDE_MODES, claudeHook } from "../hook/claude_form.ts";

/** Claude Code's hooks. */
export const hook = claudeHook({
  agent: "claude",
  events: ["PreToolUse", "PermissionRequest"],
  projectVariable: "CLAUDE_PROJECT_DIR",
  modes: CLAUDE_MODES,
});
