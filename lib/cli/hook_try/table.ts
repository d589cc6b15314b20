import { HOOK_EVENTS } from "../../model/call.ts";
import { JSON_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban hook try`. */
export const HOOK_TRY: Verb = {
  path: ["hook", "try"],
  summary: "Run the hooks of an event, and show each answer",
  operands: [
    { name: "event", choices: HOOK_EVENTS, summary: "The event" },
    {
      name: "tool",
      optional: true,
      completes: "tools",
      summary: "The tool, for PreToolUse and PostToolUse",
    },
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
      summary: "Run this command instead of the policy's hooks",
    },
    {
      name: "hooks",
      value: "FILE",
      repeatable: true,
      summary: 'Run the hooks in this file: JSON {"hooks": {…}}, or TOML [hooks]',
    },
    {
      name: "cwd",
      value: "DIR",
      summary: "The folder the call runs in; by default the current one",
    },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "The hooks really run, in the workspace, as they would for an agent: all at once, with a limit of 10 seconds " +
    "each, after which they and their child processes are killed. Each reads the event as JSON from standard " +
    "input. Exit status 2 blocks, with standard error as the reason; any other status but 0 is a warning. JSON " +
    'on standard output can decide too: {"hookSpecificOutput": {"permissionDecision": "allow", "deny" or "ask", ' +
    '"permissionDecisionReason", "updatedInput"}}. The strictest answer wins; a PreToolUse hook without an ' +
    "answer asks.",
    "The exit status is that of the test run, not of the answers.",
  ],
  examples: [
    {
      command: "caliban hook try PreToolUse Bash 'git push'",
      says: "run the hooks for a shell command",
    },
    { command: "caliban hook try SessionStart --json", says: "print every detail as JSON" },
  ],
  permissions: ["read", "env", "run"],
  load: () => import("./run.ts"),
};
