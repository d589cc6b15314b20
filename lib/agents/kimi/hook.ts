import type { Capabilities, Wire } from "../agent.ts";
import { type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { claudeDecision, jsonReply, SILENCE } from "../replies.ts";

const FORM: ClaudeForm = { agent: "kimi", events: ["PreToolUse"], modes: {} };

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "nothing",
  waitMs: 30_000,
  folder: "cwd",
  unseen: [],
};

/** Kimi Code's hooks, of which a deny alone is known to be heeded. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply: (saying) =>
    saying.emission === "deny"
      ? jsonReply(claudeDecision(saying.emission, saying.reason))
      : SILENCE,
};
