import type { AgentSettings } from "../agent.ts";
import { ownFile } from "../own_file.ts";

/** A file of hooks for Copilot CLI, which reads all that stand in the folder. */
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
};
