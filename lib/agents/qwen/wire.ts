import type { Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { claudeDecision, jsonReply, SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = {
  agent: "qwen",
  events: ["PreToolUse"],
  projectVariable: "QWEN_PROJECT_DIR",
  modes: {
    default: "default",
    plan: "plan",
    "auto-edit": "acceptEdits",
    auto_edit: "acceptEdits",
    yolo: "bypassPermissions",
  },
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

/** Qwen Code's hooks, which are Claude Code's with other tools. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply,
};

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  return saying.emission === "silence" ? SILENCE : jsonReply(claudeDecision(saying));
}
