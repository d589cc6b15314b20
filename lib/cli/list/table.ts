import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms list`. */
export const LIST: Verb = {
  path: ["perms", "list"],
  summary: "List the rules of all sources in the order in which they count",
  operands: [],
  flags: [
    {
      name: "source",
      choices: ["managed", "cli", "flag", "local", "project", "user", "builtin"],
      summary: "Only the rules of this kind of source",
    },
    JSON_FLAG,
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  examples: [{ command: "caliban perms list", says: "every rule, with its file and line" }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
