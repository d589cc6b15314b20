import type { Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { CLAUDE_MODES, type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { claudeDecision, jsonReply, requestReply, SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = {
  agent: "claude",
  events: ["PreToolUse", "PermissionRequest"],
  projectVariable: "CLAUDE_PROJECT_DIR",
  modes: CLAUDE_MODES,
};

const CAPABILITIES: Capabilities = {
  allow: "grants",
  ask: "prompts",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** Claude Code's hooks: JSON on standard output, or exit status 2. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply,
};

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  if (saying.event === "PermissionRequest") return requestReply(saying);
  return saying.emission === "silence" ? SILENCE : jsonReply(claudeDecision(saying));
}
