import { JSON_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";
import { AGENT_OPERAND } from "../hook_install/table.ts";

/** `caliban hook update`. */
export const HOOK_UPDATE: Verb = {
  path: ["hook", "update"],
  summary: "Renew the installed hooks with this version of caliban",
  operands: [{
    ...AGENT_OPERAND,
    optional: true,
    summary: "Only this agent; by default every agent",
  }],
  flags: [
    { name: "dry-run", summary: "Print the hooks to renew, and write nothing" },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "Renews each caliban hook in your own settings, in the workspace's and in those of the whole machine: its command gets the current " +
    "watchdog and a copy of the caliban that runs now. The rest of the file does not change. Flags after the agent's " +
    "name (an error in a project's file) and the permission for the audit log stay. Copies that no hook starts any more are removed.",
    "A file that cannot be read or written is reported, and the others are renewed; the exit status is then 1.",
    'With --json: {"hooks": [{"agent", "scope", "path", "done": "updated", "unchanged", "would-update" or "failed", "why"}]}.',
  ],
  examples: [{
    command: "caliban hook update",
    says: "after an update of caliban or of the runtime",
  }],
  statuses: [
    { status: 0, meaning: "every hook is of this version" },
    { status: 1, meaning: "a hook could not be renewed" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
