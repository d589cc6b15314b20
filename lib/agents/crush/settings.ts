import type { AgentSettings } from "../settings/agent_settings.ts";
import { jsonSettings } from "../settings/json_settings.ts";

/** Crush's crush.json. */
export const settings: AgentSettings = {
  ...jsonSettings({
    agent: "crush",
    lists: [{
      path: ["hooks", "PreToolUse"],
      elementFor: (command) => ({ name: "caliban", command, timeout: 30 }),
    }],
  }),
  path: (scope) => scope === "user" ? [".config", "crush", "crush.json"] : [".crush.json"],
  homeVariable: "XDG_CONFIG_HOME",
  notes: ["Crush runs no hook for the calls of its sub-agents"],
  sample: ({ command, folder }) => ({
    event: {
      event: "PreToolUse",
      session_id: "caliban",
      cwd: folder,
      tool_name: "bash",
      tool_input: { command },
    },
    env: { CRUSH_PROJECT_DIR: folder },
  }),
};
