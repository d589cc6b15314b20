import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Codex's hooks.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "codex", timeout: 30 }),
  path: () => [".codex", "hooks.json"],
  homeVariable: "CODEX_HOME",
  notes: [
    "Codex does not run a new or changed hook until you trust it: it asks you to",
    "Older versions need codex_hooks = true below [features] in config.toml",
  ],
  sample: claudeSample("Bash", { permission_mode: "default" }),
};
