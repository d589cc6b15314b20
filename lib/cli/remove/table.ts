import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms remove`. */
export const REMOVE: Verb = {
  path: ["perms", "remove"],
  summary: "Take a rule out of a policy file",
  operands: [
    { name: "pattern", summary: "The rule's pattern, in any spelling that means the same" },
    {
      name: "action",
      optional: true,
      choices: ["allow", "deny", "ask"],
      summary: "Only rules that say this",
    },
  ],
  flags: [SCOPE_FLAG, JSON_FLAG, ...SOURCE_FLAGS],
  details: [
    "All rules of the file with exactly that meaning go, with the comment lines directly above them. Where there is none, " +
    "nothing changes and the places where it does stand are shown.",
    'With --json: {"done": "removed" or "nothing", "pattern", "action" (null for any), "scope", "path", "count", ' +
    '"standsIn": rules of other places as list --json prints them}.',
  ],
  examples: [{
    command: "caliban perms remove 'Bash(git push:*)'",
    says: "whatever the file says about it",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
