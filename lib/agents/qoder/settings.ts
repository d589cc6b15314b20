import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";
import { switchedOff } from "../settings/hook_switches.ts";

/** Qoder's settings.json, and in a project settings.local.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "qoder", timeout: 30 }),
  path: (scope) => [".qoder", scope === "user" ? "settings.json" : "settings.local.json"],
  switches: {
    files: [
      { scope: "user", path: [".qoder", "settings.json"] },
      { scope: "project", path: [".qoder", "settings.json"] },
      { scope: "local", path: [".qoder", "settings.local.json"] },
    ],
    checks: [
      switchedOff({ path: ["disableAllHooks"], off: true }),
      switchedOff({ path: ["hooksConfig", "enabled"], off: false }),
      switchedOff({ path: ["hooksConfig", "headlessFastMode"], off: true }),
    ],
    perRun: "Qoder runs no hook where it is started with --headless-fast-hooks; no file shows it",
  },
  notes: [],
  sample: claudeSample("Bash", { variable: "QODER_PROJECT_DIR", permission_mode: "default" }),
};
