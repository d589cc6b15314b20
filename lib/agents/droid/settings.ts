import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** Factory Droid's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "droid", matcher: "*", timeout: 30 }),
  path: (scope) => scope === "user" ? [".factory", "settings.json"] : [".factory", "settings.json"],
  notes: [],
};
