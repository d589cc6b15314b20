import { claudeHook } from "../hook/claude_form.ts";

/** Factory Droid's hooks, which answer as Claude Code's do. */
export const hook = claudeHook({
  agent: "droid",
  events: ["PreToolUse"],
  projectVariable: "FACTORY_PROJECT_DIR",
  modes: {
    default: "default",
    plan: "plan",
    acceptEdits: "acceptEdits",
    bypassPermissions: "bypassPermissions",
  },
});
