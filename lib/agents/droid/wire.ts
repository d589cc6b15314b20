import type { Capabilities, Reply, Saying, Wire } from "../agent.ts";
import { type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { claudeDecision, jsonReply, SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = {
  agent: "droid",
  events: ["PreToolUse"],
  projectVariable: "FACTORY_PROJECT_DIR",
  modes: {
    default: "default",
    plan: "plan",
    acceptEdits: "acceptEdits",
    bypassPermissions: "bypassPermissions",
  },
};

const CAPABILITIES: Capabilities = {
  // It takes the first hook's decision for all, so that our allow could lift another hook's deny.
  allow: "nothing",
  ask: "prompts",
  silence: "judges",
  exitTwo: "stops",
  waitMs: 30_000,
  folder: "project",
  unseen: [],
};

/** Factory Droid's hooks, which answer as Claude Code's do. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply,
};

function reply(saying: Saying): Reply {
  if (saying.event === undefined) return stopReply(saying);
  const says = saying.emission === "deny" || saying.emission === "ask";
  return says ? jsonReply(claudeDecision(saying)) : SILENCE;
}
