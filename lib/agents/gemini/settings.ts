import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Gemini CLI's settings.json, whose times are in ms. */
export const settings: AgentSettings = {
  ...claudeSettings({
    agent: "gemini",
    path: ["hooks", "BeforeTool"],
    matcher: ".*",
    timeout: 30_000,
    switches: [{ path: ["hooksConfig", "enabled"], off: false }, {
      path: ["tools", "enableHooks"],
      off: false,
    }],
  }),
  path: () => [".gemini", "settings.json"],
  notes: ['Older versions need hooks switched on: "tools": { "enableHooks": true }'],
  sample: claudeSample("run_shell_command", {
    variable: "GEMINI_PROJECT_DIR",
    hook_event_name: "BeforeTool",
  }),
};
