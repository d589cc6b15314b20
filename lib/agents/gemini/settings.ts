import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { type ClaudeSettings, claudeSettings } from "../settings/claude_settings.ts";
import { listedAsOff, switchedOff } from "../settings/hook_switches.ts";

const FORM: ClaudeSettings = {
  agent: "gemini",
  path: ["hooks", "BeforeTool"],
  matcher: ".*",
  timeout: 30_000,
};

/** Gemini CLI's settings.json, whose times are in ms. */
export const settings: AgentSettings = {
  ...claudeSettings(FORM),
  path: () => [".gemini", "settings.json"],
  managed: {
    ...claudeSettings({ ...FORM, flags: [{ path: ["hooksConfig", "enabled"], value: true }] }),
    folder: { linux: "/etc/gemini-cli", darwin: "/Library/Application Support/GeminiCli" },
    path: ["settings.json"],
    variable: "GEMINI_CLI_SYSTEM_SETTINGS_PATH",
  },
  switches: {
    files: [
      {
        scope: "defaults",
        path: ["system-defaults.json"],
        variable: "GEMINI_CLI_SYSTEM_DEFAULTS_PATH",
      },
      { scope: "user", path: [".gemini", "settings.json"] },
      { scope: "project", path: [".gemini", "settings.json"] },
      { scope: "managed", path: ["settings.json"], variable: "GEMINI_CLI_SYSTEM_SETTINGS_PATH" },
    ],
    checks: [
      switchedOff({ path: ["hooksConfig", "enabled"], off: false }),
      listedAsOff(["hooksConfig", "disabled"]),
      // Older versions.
      switchedOff({ path: ["tools", "enableHooks"], off: false }),
      listedAsOff(["hooks", "disabled"]),
    ],
    projectTrust:
      "Gemini CLI reads a project's settings only in a folder that you trust, and whether it does cannot be seen here",
  },
  notes: ['Older versions need hooks switched on: "tools": { "enableHooks": true }'],
  sample: claudeSample("run_shell_command", {
    variable: "GEMINI_PROJECT_DIR",
    hook_event_name: "BeforeTool",
  }),
};
