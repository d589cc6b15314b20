import { JSON_FLAG, WORKSPACE_FLAG } from "../common_flags.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban init`. */
export const INIT: Verb = {
  path: ["init"],
  summary: "Write a commented starter policy with its JSON Schema beside it",
  operands: [],
  flags: [
    SCOPE_FLAG,
    {
      name: "preset",
      choices: ["read-only", "developer", "ci", "paranoid", "three-gate"],
      summary: "Write one of these policies in place of the starter",
    },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "Without --scope it is the project's: .caliban/permissions.toml in the workspace. A policy that " +
    "is there already is never touched.",
    "Presets: read-only looks and changes nothing; developer edits and tests the workspace and asks before others see " +
    "anything; ci asks nobody and denies what it does not name; paranoid asks about everything but reading the workspace; " +
    "three-gate denies a list, asks about another, and runs the rest.",
    'With --json: {"done": "written", "scope", "path", "schema": the path of the schema}.',
  ],
  examples: [{
    command: "caliban init",
    says: "start a policy for this project; commit it with the code",
  }, {
    command: "caliban init --preset developer --scope local",
    says: "the preset developer, for yourself in this project",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
