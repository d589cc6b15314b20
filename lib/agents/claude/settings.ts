import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";
import { managedOnly, switchedOff } from "../settings/hook_switches.ts";

const form = claudeSettings({ agent: "claude", matcher: "*", timeout: 30 });

/** Claude Code's settings.json, and in a project settings.local.json, which git ignores there. */
export const settings: AgentSettings = {
  ...form,
  path: (scope) =>
    scope === "user" ? [".claude", "settings.json"] : [".claude", "settings.local.json"],
  homeVariable: "CLAUDE_CONFIG_DIR",
  managed: {
    ...form,
    folder: { linux: "/etc/claude-code", darwin: "/Library/Application Support/ClaudeCode" },
    path: ["managed-settings.json"],
  },
  switches: {
    files: [
      { scope: "user", path: [".claude", "settings.json"] },
      { scope: "project", path: [".claude", "settings.json"] },
      { scope: "local", path: [".claude", "settings.local.json"] },
      { scope: "managed", path: ["managed-settings.json"] },
      { scope: "managed", path: ["managed-settings.d", "*.json"] },
    ],
    checks: [
      switchedOff({ path: ["disableAllHooks"], off: true, sparesManaged: true }),
      managedOnly(["allowManagedHooksOnly"]),
      managedOnly(
        ["strictPluginOnlyCustomization"],
        (value) => value === true || Array.isArray(value) && value.includes("hooks"),
      ),
    ],
  },
  notes: [],
  sample: claudeSample("Bash", { variable: "CLAUDE_PROJECT_DIR", permission_mode: "default" }),
};
