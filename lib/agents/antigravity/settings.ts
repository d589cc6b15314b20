import type { AgentSettings } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Antigravity's hooks.json, where every hook has a name. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "antigravity", path: ["caliban", "PreToolUse"], matcher: ".*" }),
  path: (scope) =>
    scope === "user" ? [".gemini", "config", "hooks.json"] : [".agents", "hooks.json"],
  notes: [],
  sample: ({ command, folder }) => ({
    event: {
      toolCall: { name: "run_command", args: { CommandLine: command, Cwd: folder } },
      workspacePaths: [folder],
    },
    env: {},
  }),
};
