import type { AgentSettings } from "../settings/agent_settings.ts";
import { ownFile } from "../settings/own_file.ts";

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
