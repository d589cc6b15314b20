import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { type ClaudeSettings, claudeSettings } from "../settings/claude_settings.ts";
import { managedOnly, switchedOff } from "../settings/hook_switches.ts";

const FORM: ClaudeSettings = { agent: "droid", matcher: "*", timeout: 30 };

/** Factory Droid's settings.json. */
export const settings: AgentSettings = {
  ...claudeSettings(FORM),
  path: () => [".factory", "settings.json"],
  managed: {
    ...claudeSettings({ ...FORM, flags: [{ path: ["hooks", "hooksDisabled"], value: false }] }),
    folder: { linux: "/etc/factory", darwin: "/Library/Application Support/Factory" },
    path: ["settings.json"],
  },
  switches: {
    files: [
      { scope: "user", path: [".factory", "settings.json"] },
      { scope: "user", path: [".factory", "hooks.json"] },
      { scope: "project", path: [".factory", "settings.json"] },
      { scope: "project", path: [".factory", "hooks.json"] },
      { scope: "managed", path: ["settings.json"] },
    ],
    checks: [
      switchedOff({ path: ["hooks", "hooksDisabled"], off: true, file: "settings.json" }),
      switchedOff({ path: ["hooksDisabled"], off: true, file: "hooks.json" }),
      managedOnly(["general", "allowManagedHooksOnly"]),
      managedOnly(["allowManagedHooksOnly"]),
    ],
  },
  notes: [],
  sample: claudeSample("Execute", { variable: "FACTORY_PROJECT_DIR" }),
};
