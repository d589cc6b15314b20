import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Claude Code's settings.json, and in a project settings.local.json, which git ignores there. */
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
  sample: claudeSample("Bash", { variable: "CLAUDE_PROJECT_DIR", permission_mode: "default" }),
};
