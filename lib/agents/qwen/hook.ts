import { CLAUDE_CAPABILITIES, claudeWire } from "../claude_wire.ts";

/** Qwen Code's hooks, which are Claude Code's with other tools. */
export const wire = claudeWire({
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
}, CLAUDE_CAPABILITIES);
