import { CLAUDE_MODES, claudeHook } from "../hook/claude_form.ts";

/** Qoder's hooks, in Claude Code's form. */
export const hook = claudeHook({
  agent: "qoder",
  events: ["PreToolUse"],
  projectVariable: "QODER_PROJECT_DIR",
  modes: CLAUDE_MODES,
});
