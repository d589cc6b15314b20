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
    "A project's policy comes with the clone. Until you trust it, only its deny and ask rules count, and what makes " +
    "answers stricter: no allow rule, no looser default_mode, no hook, no server of auto mode, no [shell] setting, and no " +
    "[tools.NAME] for a known tool. The record is kept outside the workspace, by path and content: any change from outside " +
    "ends the trust. What you write yourself with init, add, remove, import or lint --fix keeps it.",
    "It shows the rules, the commands of hooks, the hosts that calls and keys go to, and what differs from the files that " +
    "were trusted before, and asks on a terminal. Without one, and with --json, it trusts nothing but with --yes.",
    "--if-not-looser is for a git hook after a pull. It trusts the files where the workspace was trusted before and the " +
    "exact analysis proves that no call is answered more leniently: a deny rule is new, an allow rule is gone. Anything " +
    "else, unknown included, leaves the trust as it was.",
    'With --json: {"done": "trusted", "removed" or "nothing", "workspace", "files": its trusted files, "record": the path ' +
    'of the record, "why": the reason for nothing}, and what it shows: "rules", "hooks", "hosts" and "changes", the number ' +
    "of each kind or null.",
  ],
  examples: [
    { command: "caliban trust", says: "show what there is to trust, and trust it" },
    { command: "caliban trust --yes", says: "the same in a script, unasked" },
    {
      command: "caliban trust --if-not-looser",
      says: "in .git/hooks/post-merge: trust what cannot loosen",
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
