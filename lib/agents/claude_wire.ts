import type { Capabilities, Reply, Saying, Wire } from "./agent.ts";
import { type ClaudeForm, readClaudeEvent } from "./claude_event.ts";
import { claudeDecision, jsonReply, requestReply, SILENCE, stopReply } from "./replies.ts";

/** What an agent with hooks in the form of Claude Code's can do. */
export const CLAUDE_CAPABILITIES: Capabilities = {
  allow: "grants",
  ask: "prompts",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** The wire of an agent whose events and answers have the form of Claude Code's: JSON on standard output, or status 2. */
export function claudeWire(form: ClaudeForm, capabilities: Capabilities): Wire {
  return {
    capabilities,
    read: (event, { env }) => readClaudeEvent(event, { form, env }),
    reply,
  };
}

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  if (saying.event === "PermissionRequest") return requestReply(saying);
  return saying.emission === "silence"
    ? SILENCE
    : jsonReply(claudeDecision(saying.emission, saying.reason));
}
