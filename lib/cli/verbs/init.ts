import { JSON_FLAG, WORKSPACE_FLAG } from "../common_flags.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban init`. */
export const INIT: Verb = {
  path: ["init"],
  summary: "Write a commented starter policy with its JSON Schema beside it",
  operands: [],
  flags: [SCOPE_FLAG, JSON_FLAG, WORKSPACE_FLAG],
  details: [
    "Without --scope it is the project's: .caliban/permissions.toml in the workspace. A policy that " +
    "is there already is never touched.",
    'With --json: {"done": "written", "scope", "path", "schema": the path of the schema}.',
  ],
  examples: [{
    command: "caliban init",
    says: "start a policy for this project; commit it with the code",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./init_run.ts"),
};
