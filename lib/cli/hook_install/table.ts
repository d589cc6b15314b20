import { AGENT_NAMES } from "../../agents/agent_name.ts";
import { JSON_FLAG, WORKSPACE_FLAG } from "../common_flags.ts";
import type { Flag } from "../flag.ts";
import type { Operand, Verb } from "../verb.ts";

/** The agent whose settings are meant. */
export const AGENT_OPERAND: Operand = {
  name: "agent",
  choices: AGENT_NAMES,
  summary: "The coding agent",
};

/** Flags of the verbs that write an agent's settings. */
export const SETTINGS_FLAGS: readonly Flag[] = [
  {
    name: "scope",
    choices: ["user", "project"],
    summary: "Your own settings (when left out), or those of the project",
  },
  { name: "dry-run", summary: "Print what would be written, and write nothing" },
  JSON_FLAG,
  WORKSPACE_FLAG,
];

/** `caliban hook install`. */
export const HOOK_INSTALL: Verb = {
  path: ["hook", "install"],
  summary: "Write caliban into a coding agent's settings, as its hook",
  operands: [AGENT_OPERAND],
  flags: SETTINGS_FLAGS,
  details: [
    "The command in the settings names everything by its full path: the runtime, and a copy of caliban below " +
    "$XDG_DATA_HOME/caliban/hooks, with the permissions that it needs and no more. It stops the call where it cannot start. Where a policy here has " +
    '"audit_log = true", that is to write in the folder of the audit log too: install again when you switch it on.',
    "The file's comments and everything else in it stay; what was there before stands beside it in a file that ends in " +
    ".before-caliban, which in a project replaces no other file. Installing again changes nothing, or renews the copy.",
    'With --json: {"done": "installed", "unchanged" or "would-install", "agent", "scope", "path", "command", "backup": its ' +
    'path or null, "notes"}.',
  ],
  examples: [
    { command: "caliban hook install claude --dry-run", says: "look first" },
    { command: "caliban hook install codex", says: "for all of your projects" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
