import { AGENT_NAMES } from "../../agents/registry.ts";
import { SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban hook`. */
export const HOOK: Verb = {
  path: ["hook"],
  summary: "Run as a coding agent's hook: decide whether a call may run",
  operands: [{ name: "agent", choices: AGENT_NAMES, summary: "The agent that runs the hook" }],
  flags: [
    {
      name: "allow-dangerously-skip-permissions",
      summary: "Dangerous: honour the agent's own mode that runs everything",
    },
    {
      name: "watched",
      summary:
        "Exit with 42 instead of 0, so that the installed command knows that caliban itself answered",
    },
    ...SOURCE_FLAGS,
  ],
  details: [
    "Reads the agent's event from standard input and answers in the agent's format. A deny is always sent. An " +
    "ask is sent if the agent can ask, and becomes a deny if it cannot. An allow is sent if it saves the agent's " +
    "own prompt. If only the built-in rules ask, an agent that prompts or classifies calls itself decides.",
    "Any failure stops the call: an invalid policy, an event that cannot be read, a timeout.",
    'If a policy has "audit_log = true", the decision is appended to the audit log after the agent has its answer. ' +
    "Under Deno this needs --allow-write for the log's folder. If logging fails, caliban warns on stderr; decisions are " +
    "unaffected.",
    '"caliban hook install" writes the command into the agent\'s settings; "caliban doctor" tests it.',
  ],
  examples: [{
    command: `echo '{"hook_event_name": "PreToolUse", "tool_name": "Bash",
  "tool_input": {"command": "git push"}}' | caliban hook claude`,
    says: "answer an event as an agent sends it",
  }],
  statuses: [
    { status: 0, meaning: "answered, or nothing to report" },
    { status: 42, meaning: "answered, under the watchdog of the installed command" },
    { status: 2, meaning: "stop: a deny or an error, if the agent reads the exit status" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
