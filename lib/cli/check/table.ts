import { DECISION_FLAGS, JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Operand, Verb } from "../args/verb.ts";

/** The operands of a verb that decides a call. */
export const CALL_OPERANDS: readonly Operand[] = [
  {
    name: "tool",
    optional: true,
    completes: "tools",
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
  step: "ask",
  operands: CALL_OPERANDS,
  flags: [
    ...DECISION_FLAGS,
    JSON_FLAG,
    { name: "stdin", summary: "Read one JSON call per line, write one JSON result per line" },
    { name: "jobs", value: "N", summary: "With --stdin: decide with N threads; 1 by default" },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    'The exit status is the decision, for use in scripts. With --stdin each line is an object with "tool" and ' +
    '"input" (or "tool_name" and "tool_input"), and optionally "cwd", "mode" and "id"; a line that cannot be ' +
    "read yields an error object and no decision.",
  ],
  examples: [
    { command: "caliban check Bash 'git push'", says: "check a shell command" },
    {
      command: `caliban check Write '{"path": "src/main.ts"}' --json`,
      says: "pass the whole input and print JSON",
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
