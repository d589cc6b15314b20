import type { Verb } from "../args/verb.ts";
import { AGENT_OPERAND, SETTINGS_FLAGS } from "../hook_install/table.ts";

/** `caliban hook uninstall`. */
export const HOOK_UNINSTALL: Verb = {
  path: ["hook", "uninstall"],
  summary: "Remove caliban's hook from a coding agent",
  operands: [AGENT_OPERAND],
  flags: SETTINGS_FLAGS,
  details: [
    "A file that has not changed since is restored byte for byte; otherwise only the hook is removed, and a file " +
    "that install created is deleted. The copy of caliban goes unless another hook starts it, and so do the backup and the folders that " +
    "install made, as far as they are empty.",
    'With --json: {"done": "removed", "absent" or "would-remove", "agent", "scope", "path"}, and "kept", the paths of what stays beside it.',
  ],
  examples: [{
    command: "caliban hook uninstall claude",
    says: "remove it from your own settings",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
