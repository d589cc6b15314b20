import type { AgentSettings } from "../agent.ts";
import { tomlSettings } from "../toml_settings.ts";

/** Kimi Code's config.toml. */
export const settings: AgentSettings = {
  ...tomlSettings({
    agent: "kimi",
    lines: (
      toml,
    ) => ['event = "PreToolUse"', `command = ${toml}`, 'matcher = ".*"', "timeout = 30"],
  }),
  path: () => [".kimi-code", "config.toml"],
  notes: [],
};
