import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Factory Droid's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "droid", matcher: "*", timeout: 30 }),
  path: () => [".factory", "settings.json"],
  notes: [],
  sample: claudeSample("Execute", { variable: "FACTORY_PROJECT_DIR" }),
};
