import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import { DECISION_FLAGS } from "../decision_flags.ts";
import { EXIT } from "../exit_status.ts";
import type { Operand, Verb } from "../verb.ts";

/** The operands of a verb that decides a call. */
export const CALL_OPERANDS: readonly Operand[] = [
  {
    name: "tool",
    optional: true,
    summary: "The tool's name: Bash, Write, mcp__github__create_issue",
  },
  {
    name: "input",
    optional: true,
    freeText: true,
    summary: "A JSON object, or the text of the tool's first argument; - reads standard input",
  },
];

/** `caliban perms check`. */
export const CHECK: Verb = {
  path: ["perms", "check"],
  summary: "Decide whether a tool call may run",
  operands: CALL_OPERANDS,
  flags: [
    ...DECISION_FLAGS,
    JSON_FLAG,
    { name: "stdin", summary: "Read one JSON call a line, write one JSON result a line" },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "The exit status is the decision, so a script can go by it. With --stdin each line is an object with " +
    '"tool" and "input" (or "tool_name" and "tool_input"), and "cwd", "mode", "id" where wanted; a line that ' +
    "cannot be read gives an error on its line and decides nothing.",
  ],
  examples: [
    { command: "caliban check Bash 'git push'", says: "ask about a shell command" },
    {
      command: `caliban check Write '{"path": "src/main.ts"}' --json`,
      says: "the whole input, answered in JSON",
    },
  ],
  statuses: [
    { status: EXIT.allow, meaning: "allow (with --stdin: every line was read)" },
    { status: EXIT.deny, meaning: "deny" },
    { status: EXIT.ask, meaning: "ask" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
