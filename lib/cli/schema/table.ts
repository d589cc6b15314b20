import type { Verb } from "../args/verb.ts";

/** `caliban schema`. */
export const SCHEMA: Verb = {
  path: ["schema"],
  summary: "Print a JSON Schema",
  operands: [{
    name: "name",
    choices: ["permissions", "auto-mode", "tests", "decision"],
    summary:
      "The schema of permissions.toml, auto-mode.toml, *.perms.toml, or of the output of check --json",
  }],
  flags: [],
  examples: [{
    command: "caliban schema permissions > permissions.schema.json",
    says: "keep the schema beside a policy, for editors",
  }],
  permissions: ["read"],
  load: () => import("./run.ts"),
};
