import type { AgentSettings } from "../agent.ts";
import { claudeSettings } from "../claude_settings.ts";

/** Antigravity's hooks.json, in which every hook has a name. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "antigravity", path: ["caliban", "PreToolUse"], matcher: ".*" }),
  path: (scope) =>
    scope === "user" ? [".gemini", "config", "hooks.json"] : [".agents", "hooks.json"],
  notes: [],
};
