import { JSON_FLAG, SCOPE_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban init`. */
export const INIT: Verb = {
  path: ["init"],
  summary: "Create a policy with its tests and its JSON Schema",
  step: "start",
  operands: [],
  flags: [
    SCOPE_FLAG,
    {
      name: "preset",
      choices: ["read-only", "developer", "ci", "paranoid", "three-gate", "guard"],
      summary: "Write this preset instead of the starter policy",
    },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "Without --scope, writes the project's policy, .caliban/permissions.toml in the workspace. An existing " +
    "policy is never changed. The tests are beside it, in .caliban/permissions.perms.toml; your own policy gets none, " +
    "because tests ignore it.",
    "Presets: read-only permits reading and no change; developer permits edits and tests in the workspace and " +
    "asks before anything is published; ci never asks and denies every call that it does not name; paranoid asks " +
    "about everything but reading the workspace; three-gate denies one list, asks about another, and allows the " +
    "rest; guard stops disasters and leaves every other call to the agent. init writes guard as your own policy " +
    'unless --scope is given, because its unmatched = "agent" counts only there.',
    'With --json: {"done": "written", "scope", "path", "schema", "tests": the path of the tests, or null, "next": the ' +
    "command to type next}.",
  ],
  examples: [{
    command: "caliban init",
    says: "create a policy for this project; commit it with the code",
  }, {
    command: "caliban init --preset developer --scope local",
    says: "use the preset developer, for yourself in this project",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
