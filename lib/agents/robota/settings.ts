import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** robota's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "robota", matcher: "", timeout: 30 }),
  path: () => [".robota", "settings.json"],
  notes: [],
  sample: claudeSample("Bash"),
};
