import type { Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { CLAUDE_MODES, type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { claudeDecision, jsonReply, requestReply, SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = {
  agent: "codex",
  events: ["PreToolUse", "PermissionRequest"],
  modes: CLAUDE_MODES,
};

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "runs",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "cwd",
  unseen: [
    { what: "what is typed into a command that already runs (write_stdin) has no event" },
    { tool: "WebSearch", what: "the search of the model's own server has no event" },
  ],
};

/** Codex's hooks, where an allow or an ask before a tool is a failed hook, and a failed hook lets the call run. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  requestCapabilities: { ...CAPABILITIES, allow: "grants", ask: "prompts", silence: "judges" },
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply,
};

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  if (saying.event === "PermissionRequest") {
    const { exactCommand: _, ...rest } = saying;
    return requestReply(rest);
  }
  return saying.emission === "deny"
    ? jsonReply(claudeDecision(saying.emission, saying.reason))
    : SILENCE;
}
