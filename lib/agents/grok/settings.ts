import type { AgentSettings } from "../settings/agent_settings.ts";
import { managedOnly } from "../settings/hook_switches.ts";
import { ownFile } from "../settings/own_file.ts";
import { tomlSettings } from "../settings/toml_settings.ts";

/** A hook file for Grok Build, which reads every file in the folder. */
export const settings: AgentSettings = {
  ...ownFile({
    agent: "grok",
    text: (json) =>
      `{
  "hooks": {
    "PreToolUse": [
      { "hooks": [{ "type": "command", "command": ${json}, "timeout": 30 }] }
    ]
  }
}
`,
  }),
  path: () => [".grok", "hooks", "caliban.json"],
  homeVariable: "GROK_HOME",
  managed: {
    ...tomlSettings({
      agent: "grok",
      path: ["hooks", "PreToolUse"],
      linesFor: (command) => [
        `hooks = [{ type = "command", command = ${JSON.stringify(command)}, timeout = 30 }]`,
      ],
    }),
    folder: { linux: "/etc/grok", darwin: "/etc/grok" },
    path: ["managed_config.toml"],
  },
  switches: {
    files: [
      { scope: "managed", path: ["managed_config.toml"] },
      { scope: "managed", path: ["requirements.toml"] },
      // Grok Build obeys Claude Code's too.
      {
        scope: "managed",
        path: ["managed-settings.json"],
        folder: { linux: "/etc/claude-code", darwin: "/Library/Application Support/ClaudeCode" },
      },
    ],
    checks: [managedOnly(["allow_managed_hooks_only"]), managedOnly(["allowManagedHooksOnly"])],
    projectTrust:
      "Grok Build runs a project's hooks only after you trust the project, and whether you did cannot be seen here",
  },
  notes: ["Grok Build runs hooks of a project only after you trust the project"],
  sample: ({ command, folder }) => ({
    event: {
      cwd: folder,
      workspaceRoot: folder,
      toolName: "run_terminal_command",
      toolInput: { command },
      toolInputTruncated: false,
    },
    env: {},
  }),
};
