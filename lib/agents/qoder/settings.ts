import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Qoder's settings.json, and in a project settings.local.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "qoder", timeout: 30 }),
  path: (scope) => [".qoder", scope === "user" ? "settings.json" : "settings.local.json"],
  notes: [],
  sample: claudeSample("Bash", { variable: "QODER_PROJECT_DIR", permission_mode: "default" }),
};
