import { JSON_FLAG, SCOPE_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms remove`. */
export const REMOVE: Verb = {
  path: ["perms", "remove"],
  summary: "Remove a rule from a policy file",
  operands: [
    {
      name: "pattern",
      completes: "patterns",
      summary: "The rule's pattern, in any equivalent spelling",
    },
    {
      name: "action",
      optional: true,
      choices: ["allow", "deny", "ask"],
      summary: "Only rules with this action",
    },
  ],
  flags: [SCOPE_FLAG, JSON_FLAG, ...SOURCE_FLAGS],
  details: [
    "Removes every equivalent rule of the file, with the comment lines directly above it. If there is none, " +
    "nothing changes, and the other places that have the rule are shown.",
    'With --json: {"done": "removed" or "nothing", "pattern", "action" (null for any), "scope", "path", "count", ' +
    '"standsIn": equivalent rules elsewhere, as list --json prints them}.',
  ],
  examples: [{
    command: "caliban perms remove 'Bash(git push:*)'",
    says: "remove the rule, whatever its action",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
