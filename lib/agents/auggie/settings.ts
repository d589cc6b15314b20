import type { AgentSettings } from "../settings/agent_settings.ts";
import { claudeSettings } from "../settings/claude_settings.ts";

/** Auggie's settings.json, and in a project settings.local.json; its times are in ms. */
export const settings: AgentSettings = {
  // No other matcher is for servers' tools too.
  ...claudeSettings({ agent: "auggie", matcher: ".*", timeout: 30_000 }),
  path: (scope) => [".augment", scope === "user" ? "settings.json" : "settings.local.json"],
  notes: [],
  sample: ({ command, folder }) => ({
    event: {
      hook_event_name: "PreToolUse",
      conversation_id: "caliban",
      workspace_roots: [folder],
      tool_name: "launch-process",
      tool_input: { command, cwd: folder, wait: true, max_wait_seconds: 60 },
      is_mcp_tool: false,
    },
    env: {},
  }),
};
