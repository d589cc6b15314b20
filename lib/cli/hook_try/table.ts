import { HOOK_EVENTS } from "../../model/hook.ts";
import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban hook try`. */
export const HOOK_TRY: Verb = {
  path: ["hook", "try"],
  summary: "Run the hooks of an event, and show what each says",
  operands: [
    { name: "event", choices: HOOK_EVENTS, summary: "The event" },
    { name: "tool", optional: true, summary: "The tool, for PreToolUse and PostToolUse" },
    {
      name: "input",
      optional: true,
      freeText: true,
      summary: "A JSON object, or the text of the tool's first argument; - reads standard input",
    },
  ],
  flags: [
    {
      name: "command",
      value: "COMMAND",
      repeatable: true,
      summary: "Run this command, not the hooks of the policy",
    },
    {
      name: "hooks",
      value: "FILE",
      repeatable: true,
      summary: 'Run the hooks of this file: JSON {"hooks": {…}}, or TOML [hooks]',
    },
    {
      name: "cwd",
      value: "DIR",
      summary: "The folder the call runs in; the current one when left out",
    },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "The hooks really run, in the workspace, as they would for an agent: all at once, 10 seconds each, then they are " +
    "killed with all that they started. The event is JSON on their standard input. Exit status 2 blocks, with what " +
    "they print as errors for the reason; another one but 0 is a warning. What they print as JSON can decide too: " +
    '{"hookSpecificOutput": {"permissionDecision": "allow", "deny" or "ask", "permissionDecisionReason", ' +
    '"updatedInput"}}. The strictest answer wins, and a PreToolUse hook that gives none asks.',
    "The exit status says that they were tried, not what they said.",
  ],
  examples: [
    { command: "caliban hook try PreToolUse Bash 'git push'", says: "before a shell command" },
    { command: "caliban hook try SessionStart --json", says: "everything about them, as JSON" },
  ],
  permissions: ["read", "env", "run"],
  load: () => import("./run.ts"),
};
