import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** Codex's hooks.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "codex", timeout: 30 }),
  path: (scope) => scope === "user" ? [".codex", "hooks.json"] : [".codex", "hooks.json"],
  homeVariable: "CODEX_HOME",
  notes: [
    "Codex asks you to trust a hook that is new or changed: do that, or it does not run",
    "Older versions need codex_hooks = true below [features] in config.toml",
  ],
};
