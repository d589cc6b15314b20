import { jsonSettings } from "../settings/json_settings.ts";
import type { AgentSettings } from "../settings/agent_settings.ts";

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

const form = jsonSettings({
  agent: "cursor",
  members: { version: 1 },
  lists: EVENTS.map((event) => ({
    path: ["hooks", event],
    elementFor: (command) => ({ command, timeout: 30, failClosed: true }),
  })),
});

/** Cursor's hooks.json. The editor and the command line have different events; each gets the hook. */
export const settings: AgentSettings = {
  ...form,
  path: () => [".cursor", "hooks.json"],
  managed: {
    ...form,
    folder: { linux: "/etc/cursor", darwin: "/Library/Application Support/Cursor" },
    path: ["hooks.json"],
  },
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
