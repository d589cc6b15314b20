import { JSON_FLAG, SCOPE_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms add`. */
export const ADD: Verb = {
  path: ["perms", "add"],
  summary: "Add a rule to a policy file",
  operands: [
    {
      name: "pattern",
      summary: "The calls: 'Bash(git push:*)', 'Write:docs/**', mcp__github__*",
    },
    {
      name: "action",
      choices: ["allow", "deny", "ask"],
      sample: "ask",
      summary: "The action for these calls",
    },
  ],
  flags: [
    SCOPE_FLAG,
    { name: "comment", value: "TEXT", summary: "A note for people: why the rule exists" },
    {
      name: "reason",
      value: "TEXT",
      summary: "A reason for the model, so that it can try something else; deny only",
    },
    { name: "expires-at", value: "TIME", summary: "Expiry time: 2027-01-01T00:00:00Z" },
    { name: "first", summary: "Insert the rule at the top of the file" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Comments, blank lines and the order of the file are preserved. An allow is appended; a deny or ask is " +
    "inserted above the first rule that would take precedence over it. Adding a rule twice changes nothing. A file " +
    "with lists by action gets the pattern in its list.",
    'With --json: {"done": "added" or "nothing", "pattern", "action", "scope", "path", "line": the line of an ' +
    "identical rule that existed before, or null}; notes still go to standard error.",
  ],
  examples: [{
    command: "caliban perms add 'Bash(git push:*)' allow",
    says: "allow git push, with any arguments or none",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
