import { JSON_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban trust`. */
export const TRUST: Verb = {
  path: ["trust"],
  summary: "Trust this workspace's policy files in their current state",
  operands: [],
  flags: [
    {
      name: "if-not-looser",
      summary: "Ask nobody; trust only changes that are proven to loosen nothing",
    },
    { name: "yes", summary: "Trust them without a question" },
    { name: "remove", summary: "Stop trusting this workspace" },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "A project's policy comes with the clone. Until you trust it, only its deny and ask rules count, and settings that make " +
    "answers stricter: no allow rule, no looser default_mode, no hook, no server of auto mode, no [shell] setting, and no " +
    "[tools.NAME] for a known tool. The record is outside the workspace, by path and content: any change from outside " +
    "ends the trust. Your own changes with init, add, remove, import or lint --fix keep it.",
    "It shows the rules, the commands of hooks, the hosts that get calls and keys, and the differences from the files that " +
    "were trusted before, and asks on a terminal. Without a terminal, and with --json, it needs --yes.",
    "--if-not-looser is for a git hook after a pull. It trusts the files if the workspace was trusted before and the " +
    "exact analysis proves that no verdict is looser: a new deny rule, a removed allow rule. In any " +
    "other case, and if the result is unknown, nothing changes.",
    'With --json: {"done": "trusted", "removed" or "nothing", "workspace", "files": its trusted files, "record": the path ' +
    'of the record, "why": the reason for nothing}, and "rules", "hooks", "hosts" and "changes", the number ' +
    "of each kind or null.",
  ],
  examples: [
    { command: "caliban trust", says: "show the files to trust, and trust them" },
    { command: "caliban trust --yes", says: "the same in a script, without a question" },
    {
      command: "caliban trust --if-not-looser",
      says: "in .git/hooks/post-merge: trust changes that loosen nothing",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "trusted, or removed" },
    {
      status: 1,
      meaning: "trusted no more than before: not confirmed, not proven, or nobody was asked",
    },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
