import { AGENT_NAMES } from "../../agents/registry.ts";
import { JSON_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import type { Flag, Operand, Verb } from "../args/verb.ts";

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
    choices: ["user", "project", "managed"],
    summary: "Your own settings (the default), the project's, or those of the whole machine",
  },
  { name: "dry-run", summary: "Print the result, and write nothing" },
  JSON_FLAG,
  WORKSPACE_FLAG,
];

/** `caliban hook install`. */
export const HOOK_INSTALL: Verb = {
  path: ["hook", "install"],
  summary: "Install caliban as the hook of a coding agent",
  step: "start",
  operands: [AGENT_OPERAND],
  flags: SETTINGS_FLAGS,
  details: [
    "The command in the settings uses full paths for the runtime and for a copy of caliban below " +
    "$XDG_DATA_HOME/caliban/hooks, with the fewest permissions that it needs. If it cannot start, the call is " +
    'stopped. If a policy here has "audit_log = true", the command may also write in the folder of the audit ' +
    "log: install again after you enable it.",
    "The hook runs the caliban that installs it: a compiled one starts fastest, then the bundle, then the source.",
    "No path is in a package cache, a temporary folder or the workspace. Instead, install names a program of the same name on the " +
    "PATH or copies a compiled program; without either it writes nothing.",
    "--scope managed writes the administrator's settings, for agents that have them. It keeps their content, a project " +
    "cannot switch these hooks off, and all users can read the copy. It needs the right to write there.",
    "Comments and all other content of the file are preserved. The previous version is saved beside it in a file " +
    "that ends in .before-caliban, or in .before-caliban-2 if that file exists. Installing again changes " +
    "nothing, or updates the copy.",
    'With --json: {"done": "installed", "unchanged" or "would-install", "agent", "scope", "path", "command", ' +
    '"program": "compiled", "bundle" or "source", "backup": its path or null, "notes"}.',
  ],
  examples: [
    { command: "caliban hook install claude --dry-run", says: "preview the change" },
    { command: "caliban hook install codex", says: "install for all of your projects" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
