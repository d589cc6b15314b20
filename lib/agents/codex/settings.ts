import { type AgentSettings, claudeSample } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";
import { managedOnly, switchedOff } from "../settings/hook_switches.ts";
import { tomlSettings } from "../settings/toml_settings.ts";
import { switchedOffByPerson, trustOf } from "./trust.ts";

/** Codex's hooks.json. */
export const settings: AgentSettings = {
  ...claudeSettings({ agent: "codex", timeout: 30 }),
  path: () => [".codex", "hooks.json"],
  homeVariable: "CODEX_HOME",
  managed: {
    ...tomlSettings({
      agent: "codex",
      path: ["hooks", "PreToolUse"],
      linesFor: (command) => [
        `hooks = [{ type = "command", command = ${JSON.stringify(command)}, timeout = 30 }]`,
      ],
      flag: { table: "features", name: "hooks" },
    }),
    folder: { linux: "/etc/codex", darwin: "/etc/codex" },
    path: ["requirements.toml"],
  },
  switches: {
    files: [
      { scope: "defaults", path: ["config.toml"] },
      { scope: "user", path: [".codex", "config.toml"] },
      { scope: "project", path: [".codex", "config.toml"] },
      { scope: "managed", path: ["requirements.toml"] },
    ],
    checks: [
      switchedOff({ path: ["features", "hooks"], off: false }),
      switchedOff({ path: ["features", "codex_hooks"], off: false }),
      managedOnly(["allow_managed_hooks_only"]),
      switchedOffByPerson,
    ],
    projectTrust:
      "Codex reads a project's hooks only where you trust the project, and whether it does cannot be seen here",
  },
  trust: trustOf,
  notes: [
    "Codex does not run a new or changed hook until you trust it, and codex exec passes over it without a word: " +
    'start codex, and trust the hook with "/hooks"',
    "Older versions need codex_hooks = true below [features] in config.toml",
  ],
  sample: claudeSample("Bash", { permission_mode: "default" }),
};
