import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** Qwen Code's settings.json, whose times are in ms. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "qwen", matcher: ".*", timeout: 30_000 }),
  path: (scope) => scope === "user" ? [".qwen", "settings.json"] : [".qwen", "settings.json"],
  notes: [],
};
