import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { type ClaudeSettings, claudeSettings } from "../settings/claude_settings.ts";
import { switchedOff, variableOff } from "../settings/hook_switches.ts";

const FORM: ClaudeSettings = { agent: "qwen", matcher: ".*", timeout: 30_000 };

/** Qwen Code's settings.json, whose times are in ms. */
export const settings: AgentSettings = {
  ...claudeSettings(FORM),
  path: () => [".qwen", "settings.json"],
  homeVariable: "QWEN_HOME",
  managed: {
    ...claudeSettings({ ...FORM, flags: [{ path: ["disableAllHooks"], value: false }] }),
    folder: { linux: "/etc/qwen-code", darwin: "/Library/Application Support/QwenCode" },
    path: ["settings.json"],
    variable: "QWEN_CODE_SYSTEM_SETTINGS_PATH",
  },
  switches: {
    files: [
      {
        scope: "defaults",
        path: ["system-defaults.json"],
        variable: "QWEN_CODE_SYSTEM_DEFAULTS_PATH",
      },
      { scope: "user", path: [".qwen", "settings.json"] },
      { scope: "user", path: [".qwen", ".env"] },
      { scope: "user", path: [".env"] },
      { scope: "project", path: [".qwen", "settings.json"] },
      { scope: "project", path: [".qwen", ".env"] },
      { scope: "project", path: [".env"] },
      { scope: "managed", path: ["settings.json"], variable: "QWEN_CODE_SYSTEM_SETTINGS_PATH" },
    ],
    checks: [
      switchedOff({ path: ["disableAllHooks"], off: true }),
      // Its modes without hooks, which the variables of a project can start.
      variableOff(["QWEN_CODE_SAFE_MODE", "QWEN_CODE_SIMPLE"]),
    ],
    projectTrust:
      "Qwen Code reads a project's settings only in a folder that you trust, and whether it does cannot be seen here",
  },
  notes: [],
  sample: claudeSample("run_shell_command", { variable: "QWEN_PROJECT_DIR" }),
};
