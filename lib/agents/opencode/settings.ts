import type { AgentSettings } from "../agent.ts";
import { ownFile } from "../own_file.ts";
import { pluginText } from "./plugin_text.ts";

/** A plugin for opencode, which loads all that stand in the folder. */
export const settings: AgentSettings = {
  ...ownFile({ agent: "opencode", text: pluginText }),
  path: (scope) =>
    scope === "user"
      ? [".config", "opencode", "plugins", "caliban.js"]
      : [".opencode", "plugins", "caliban.js"],
  homeVariable: "XDG_CONFIG_HOME",
  notes: ["opencode loads plugins when it starts: start it anew"],
};
