import type { Verb } from "../args/verb.ts";
import { AGENT_OPERAND, SETTINGS_FLAGS } from "../hook_install/table.ts";

/** `caliban hook uninstall`. */
export const HOOK_UNINSTALL: Verb = {
  path: ["hook", "uninstall"],
  summary: "Remove caliban's hook from a coding agent",
  operands: [AGENT_OPERAND],
  flags: SETTINGS_FLAGS,
  details: [
    "Restores a file that has not changed since byte for byte. Otherwise it removes only the hook, and deletes a file " +
    "that install created. It also removes the backup, the copy of caliban unless another hook starts it, and folders that " +
    "install made if they are empty.",
    'With --json: {"done": "removed", "absent" or "would-remove", "agent", "scope", "path"}, and "kept", the paths that remain beside it.',
  ],
  examples: [{
    command: "caliban hook uninstall claude",
    says: "remove it from your own settings",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
