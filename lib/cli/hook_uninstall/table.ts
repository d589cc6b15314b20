import type { Verb } from "../verb.ts";
import { AGENT_OPERAND, SETTINGS_FLAGS } from "../hook_install/table.ts";

/** `caliban hook uninstall`. */
export const HOOK_UNINSTALL: Verb = {
  path: ["hook", "uninstall"],
  summary: "Take caliban out of a coding agent's settings",
  operands: [AGENT_OPERAND],
  flags: SETTINGS_FLAGS,
  details: [
    "A file that has not changed since is put back to the byte; from another one the hook alone is taken out, and a file " +
    "that install made is removed. The copy of caliban stays, for other agents may run it.",
    'With --json: {"done": "removed", "absent" or "would-remove", "agent", "scope", "path"}.',
  ],
  examples: [{ command: "caliban hook uninstall claude", says: "from your own settings" }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
