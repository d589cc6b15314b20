import { CLAUDE_MODES } from "../claude_event.ts";
import { CLAUDE_CAPABILITIES, claudeWire } from "../claude_wire.ts";

/** Claude Code's hooks. */
export const wire = claudeWire({
  agent: "claude",
  events: ["PreToolUse", "PermissionRequest"],
  projectVariable: "CLAUDE_PROJECT_DIR",
  modes: CLAUDE_MODES,
}, CLAUDE_CAPABILITIES);
