import { AGENT_NAMES } from "../../agents/agent_name.ts";
import { SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban hook`. */
export const HOOK: Verb = {
  path: ["hook"],
  summary: "Answer a coding agent that asks, as its hook, whether a call may run",
  operands: [{ name: "agent", choices: AGENT_NAMES, summary: "The agent that asks" }],
  flags: [
    {
      name: "allow-dangerously-skip-permissions",
      summary: "Dangerous: heed the agent's own mode in which everything runs",
    },
    ...SOURCE_FLAGS,
  ],
  details: [
    "The agent's event is read from standard input and answered in its own form. Deny is always said. Ask is said where " +
    "the agent can ask; where it cannot, it is a deny. Allow is said where it spares the agent's own question. A " +
    "question that only the built-in rules have is left to an agent that asks or judges by itself.",
    "Whatever goes wrong stops the call: a broken policy, an event that cannot be read, no answer in time.",
    'Where a policy has "audit_log = true", the decision is appended to the audit log when the agent has its answer. Under Deno ' +
    "that needs --allow-write of its folder; a log that is not kept is a warning and changes no answer.",
    '"caliban hook install" writes the command into the agent\'s settings, and "caliban doctor" tries it.',
  ],
  examples: [{
    command: "caliban hook claude < event.json",
    says: "what the agent is told about the call in event.json",
  }],
  statuses: [
    { status: 0, meaning: "answered, or nothing to say" },
    { status: 2, meaning: "stop: a deny or an error, where the agent goes by the status" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
