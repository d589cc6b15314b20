import { JSON_FLAG, WORKSPACE_FLAG } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban trust`. */
export const TRUST: Verb = {
  path: ["trust"],
  summary: "Let the workspace's policy files count in full, as they are now",
  operands: [],
  flags: [
    { name: "remove", summary: "Trust the workspace no longer" },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "A project's policy comes with the clone. Its rules count, but what changes the meaning of others' rules " +
    '(shell = "literal", [tools.NAME] of a tool that others know) counts only once you have read it and trust it. ' +
    "The record stands outside the workspace, by path and content: any change of the files ends the trust.",
    'With --json: {"done": "trusted" or "removed", "workspace", "files": those of it that count, "record": where it stands}.',
  ],
  examples: [{ command: "caliban trust", says: "after reading .caliban/" }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
