import type { AgentSettings } from "../agent.ts";
import { jsonSettings } from "../json_settings.ts";

const EVENTS = ["preToolUse", "beforeShellExecution", "beforeMCPExecution", "beforeReadFile"];

/** Cursor's hooks.json: the editor and the command line have different events, so that each gets the hook. */
export const settings: AgentSettings = {
  ...jsonSettings({
    agent: "cursor",
    members: { version: 1 },
    lists: EVENTS.map((event) => ({
      path: ["hooks", event],
      entry: (command) => ({ command, timeout: 30, failClosed: true }),
    })),
  }),
  path: () => [".cursor", "hooks.json"],
  notes: [],
};
