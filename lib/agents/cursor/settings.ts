import { jsonSettings } from "../settings/json_settings.ts";
import type { AgentSettings } from "../settings/agent_settings.ts";

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

/** Cursor's hooks.json. The editor and the command line have different events; each gets the hook. */
export const settings: AgentSettings = {
  ...jsonSettings({
    agent: "cursor",
    members: { version: 1 },
    lists: EVENTS.map((event) => ({
      path: ["hooks", event],
      elementFor: (command) => ({ command, timeout: 30, failClosed: true }),
    })),
  }),
  path: () => [".cursor", "hooks.json"],
  notes: [],
  sample: ({ command, folder }) => ({
    event: {
      hook_event_name: "beforeShellExecution",
      workspace_roots: [folder],
      command,
      cwd: "",
    },
    env: {},
  }),
};
