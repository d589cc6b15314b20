import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { OPENCODE_PLUGIN, pluginFile } from "../settings/plugin_file.ts";

/** A plugin for opencode, which loads every plugin in the folder. */
export const settings: AgentSettings = {
  ...pluginFile({ agent: "opencode", code: OPENCODE_PLUGIN }),
  path: (scope) =>
    scope === "user"
      ? [".config", "opencode", "plugins", "caliban.js"]
      : [".opencode", "plugins", "caliban.js"],
  homeVariable: "XDG_CONFIG_HOME",
  switches: {
    files: [],
    checks: [],
    perRun:
      "opencode loads no plugin where it is started with --pure or OPENCODE_PURE=1; no file shows it",
  },
  notes: ["opencode loads plugins at its start: restart it"],
  sample: (command) =>
    claudeSample("bash", {
      hook_event_name: "tool.execute.before",
      project: command.folder,
    })(command),
};
