import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms list`. */
export const LIST: Verb = {
  path: ["perms", "list"],
  summary: "List the rules of all sources, in order of evaluation",
  operands: [],
  flags: [
    {
      name: "source",
      choices: ["managed", "cli", "flag", "local", "project", "user", "builtin"],
      summary: "Only rules from this kind of source",
    },
    JSON_FLAG,
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  examples: [{ command: "caliban perms list", says: "list every rule, with its file and line" }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
