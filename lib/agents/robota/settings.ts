import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** robota's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "robota", matcher: "" }),
  path: (scope) => scope === "user" ? [".robota", "settings.json"] : [".robota", "settings.json"],
  notes: [],
};
