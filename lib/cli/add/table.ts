import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms add`. */
export const ADD: Verb = {
  path: ["perms", "add"],
  summary: "Write a rule into a policy file",
  operands: [
    {
      name: "pattern",
      summary: "Which calls: 'Bash(git push:*)', 'Write:docs/**', mcp__github__*",
    },
    { name: "action", choices: ["allow", "deny", "ask"], summary: "What happens to them" },
  ],
  flags: [
    SCOPE_FLAG,
    { name: "comment", value: "TEXT", summary: "For people: why the rule is there" },
    {
      name: "reason",
      value: "TEXT",
      summary: "For the model, so that it can try something else; deny only",
    },
    { name: "expires-at", value: "TIME", summary: "When it ends: 2027-01-01T00:00:00Z" },
    { name: "first", summary: "Put it at the top of the file" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Comments, blank lines and the order of the file stay. An allow goes to the end of the rules; a deny or ask above the " +
    "first rule that would beat it. The same rule twice changes nothing.",
    'With --json: {"done": "added" or "nothing", "pattern", "action", "scope", "path", "line": where it stood before, ' +
    "or null}; notes still go to standard error.",
  ],
  examples: [{
    command: "caliban perms add 'Bash(git push:*)' allow",
    says: "git push, alone and with anything behind it",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
