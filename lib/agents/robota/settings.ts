import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";
import { replaced } from "../settings/hook_switches.ts";

/** robota's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "robota", matcher: "", timeout: 30 }),
  path: () => [".robota", "settings.json"],
  switches: {
    files: [
      { scope: "user", path: [".robota", "settings.json"] },
      { scope: "user", path: [".claude", "settings.json"] },
      { scope: "project", path: [".robota", "settings.json"] },
      { scope: "local", path: [".robota", "settings.local.json"] },
      { scope: "project", path: [".claude", "settings.json"] },
      { scope: "local", path: [".claude", "settings.local.json"] },
    ],
    checks: [replaced(["hooks"])],
  },
  notes: [],
  sample: claudeSample("Bash"),
};
