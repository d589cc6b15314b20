import type { AgentSettings } from "../settings/agent_settings.ts";
import { switchedOff } from "../settings/hook_switches.ts";
import { ownFile } from "../settings/own_file.ts";

const form = ownFile({
  agent: "copilot",
  text: (json) =>
    `{
  "version": 1,
  "hooks": {
    "preToolUse": [
      { "type": "command", "bash": ${json}, "timeoutSec": 30 }
    ]
  }
}
`,
});

/** A hook file for Copilot CLI, which reads every file in the folder. */
export const settings: AgentSettings = {
  ...form,
  path: (scope) =>
    scope === "user" ? [".copilot", "hooks", "caliban.json"] : [".github", "hooks", "caliban.json"],
  homeVariable: "COPILOT_HOME",
  managed: {
    ...form,
    folder: { linux: "/etc/github-copilot/policy.d" },
    path: ["caliban.json"],
  },
  switches: {
    files: [
      { scope: "user", path: [".copilot", "config.json"] },
      { scope: "user", path: [".copilot", "settings.json"] },
      { scope: "user", path: [".copilot", "hooks", "*.json"] },
      { scope: "project", path: [".github", "copilot", "settings.json"] },
      { scope: "local", path: [".github", "copilot", "settings.local.json"] },
      { scope: "project", path: [".github", "hooks", "*.json"] },
    ],
    checks: [switchedOff({ path: ["disableAllHooks"], off: true, sparesManaged: true })],
    projectTrust:
      "GitHub Copilot CLI runs a project's hooks only in a folder that you trust, and with -p only where GITHUB_COPILOT_PROMPT_MODE_REPO_HOOKS is true; whether it does cannot be seen here",
  },
  notes: [],
  sample: ({ command, folder }) => ({
    event: {
      sessionId: "caliban",
      cwd: folder,
      toolName: "bash",
      toolArgs: JSON.stringify({ command }),
    },
    env: {},
  }),
};
