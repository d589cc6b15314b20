import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { OPENCODE_PLUGIN, pluginFile } from "../settings/plugin_file.ts";

/** A plugin for Kilo, which is opencode's. */
export const settings: AgentSettings = {
  ...pluginFile({ agent: "kilo", code: OPENCODE_PLUGIN }),
  path: (scope) =>
    scope === "user"
      ? [".config", "kilo", "plugin", "caliban.js"]
      : [".kilo", "plugin", "caliban.js"],
  homeVariable: "XDG_CONFIG_HOME",
  switches: {
    files: [],
    checks: [],
    perRun: "Kilo loads no plugin where it is started with --pure or KILO_PURE=1; no file shows it",
  },
  notes: ["Kilo loads plugins at its start: restart it"],
  sample: (command) =>
    claudeSample("bash", {
      hook_event_name: "tool.execute.before",
      project: command.folder,
    })(command),
};
