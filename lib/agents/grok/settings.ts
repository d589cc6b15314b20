import type { AgentSettings } from "../agent.ts";
import { ownFile } from "../own_file.ts";

/** A file of hooks for Grok Build, which reads all that stand in the folder. */
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
  notes: ["Grok Build runs hooks of a project only after it was told to trust the project"],
};
