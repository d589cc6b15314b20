import { JSON_FLAG, WORKSPACE_FLAG } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban trust`. */
export const TRUST: Verb = {
  path: ["trust"],
  summary: "Trust this workspace's policy files in their current state",
  operands: [],
  flags: [
    { name: "remove", summary: "Stop trusting this workspace" },
    JSON_FLAG,
    WORKSPACE_FLAG,
  ],
  details: [
    "A project's policy comes with the clone. Its rules count, but settings that change the meaning of other " +
    'sources\' rules (shell = "literal", [tools.NAME] for a known tool) take effect only after you trust them. ' +
    "The record is kept outside the workspace, by path and content: any change to the files ends the trust.",
    'With --json: {"done": "trusted" or "removed", "workspace", "files": its trusted files, "record": the path ' +
    "of the record}.",
  ],
  examples: [{ command: "caliban trust", says: "trust it, after you have read .caliban/" }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
