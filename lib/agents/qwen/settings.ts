import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Qwen Code's settings.json, whose times are in ms. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "qwen", matcher: ".*", timeout: 30_000 }),
  path: () => [".qwen", "settings.json"],
  notes: [],
  sample: claudeSample("run_shell_command", { variable: "QWEN_PROJECT_DIR" }),
};
