import type { Capabilities, Wire } from "../agent.ts";
import { type ClaudeForm, readClaudeEvent } from "../claude_event.ts";
import { SILENCE, stopReply } from "../replies.ts";

const FORM: ClaudeForm = { agent: "robota", events: ["PreToolUse"], modes: {} };

const CAPABILITIES: Capabilities = {
  allow: "nothing",
  ask: "nothing",
  silence: "judges",
  exitTwo: "stops",
  // Its hooks have ten seconds, whatever its settings say.
  waitMs: 10_000,
  folder: "cwd",
  unseen: [],
};

/** robota's hooks: exit status 0 proceeds, 2 blocks with standard error as the reason. */
export const wire: Wire = {
  capabilities: CAPABILITIES,
  read: (event, { env }) => readClaudeEvent(event, { form: FORM, env }),
  reply: (saying) => saying.emission === "deny" ? stopReply(saying) : SILENCE,
};
