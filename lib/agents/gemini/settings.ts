import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

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
  path: (scope) => scope === "user" ? [".gemini", "settings.json"] : [".gemini", "settings.json"],
  notes: ['Older versions need hooks switched on: "tools": { "enableHooks": true }'],
};
