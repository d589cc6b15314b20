import { CLAUDE_CAPABILITIES, claudeWire } from "../claude_wire.ts";

/**
 * Factory Droid's hooks, which answer as Claude Code's do. It takes the first hook's decision for all, so that our allow could
 * lift another hook's deny: none is said.
 */
export const wire = claudeWire({
  agent: "droid",
  events: ["PreToolUse"],
  projectVariable: "FACTORY_PROJECT_DIR",
  modes: {
    default: "default",
    plan: "plan",
    acceptEdits: "acceptEdits",
    bypassPermissions: "bypassPermissions",
  },
}, { ...CLAUDE_CAPABILITIES, allow: "nothing" });
