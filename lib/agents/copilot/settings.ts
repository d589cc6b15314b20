import type { AgentSettings } from "../settings/agent_settings.ts";
import { ownFile } from "../settings/own_file.ts";

/** A hook file for Copilot CLI, which reads every file in the folder. */
export const settings: AgentSettings = {
  ...ownFile({
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
  }),
  path: (scope) =>
    scope === "user" ? [".copilot", "hooks", "caliban.json"] : [".github", "hooks", "caliban.json"],
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
