import { RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms export`. */
export const EXPORT: Verb = {
  path: ["perms", "export"],
  summary: "Print rules in another format, or a file of an older shape in today's",
  operands: [{
    name: "file",
    optional: true,
    summary: "One policy file; the whole list without the built-in rules when left out",
  }],
  flags: [
    { name: "format", choices: ["toml", "json"], summary: "The format; toml when left out" },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Print to another file than the one that is read: the shell empties the file behind > first.",
  ],
  examples: [{
    command: "caliban perms export --format json",
    says: "every rule that counts, highest first, for another program",
  }],
  permissions: ["read", "env"],
  load: () => import("./export_run.ts"),
};
