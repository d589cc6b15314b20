import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** Claude Code's settings.json, and in a project settings.local.json, which its git leaves out. */
export const settings: AgentSettings = {
  ...claudeSettings({
    agent: "claude",
    matcher: "*",
    timeout: 30,
    switches: [{ path: ["disableAllHooks"], off: true }],
  }),
  path: (scope) =>
    scope === "user" ? [".claude", "settings.json"] : [".claude", "settings.local.json"],
  homeVariable: "CLAUDE_CONFIG_DIR",
  notes: [],
};
