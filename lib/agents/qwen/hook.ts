import { claudeHook } from "../hook/claude_form.ts";

/** Qwen Code's hooks: Claude Code's with other tools. */
export const hook = claudeHook({
  agent: "qwen",
  events: ["PreToolUse"],
  projectVariable: "QWEN_PROJECT_DIR",
  modes: {
    default: "default",
    plan: "plan",
    "auto-edit": "acceptEdits",
    auto_edit: "acceptEdits",
    yolo: "bypassPermissions",
  },
});
