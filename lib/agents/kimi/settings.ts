import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { tomlSettings } from "../settings/toml_settings.ts";

/** Kimi Code's config.toml: each hook is a table of the array `hooks`. */
export const settings: AgentSettings = {
  ...tomlSettings({
    agent: "kimi",
    path: ["hooks"],
    linesFor: (command) => [
      'event = "PreToolUse"',
      `command = ${JSON.stringify(command)}`,
      'matcher = ".*"',
      "timeout = 30",
    ],
  }),
  path: () => [".kimi-code", "config.toml"],
  readsProject: false,
  homeVariable: "KIMI_CODE_HOME",
  notes: [],
  sample: claudeSample("Bash"),
};
