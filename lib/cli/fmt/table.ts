import { WORKSPACE_FLAG } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms fmt`. */
export const FMT: Verb = {
  path: ["perms", "fmt"],
  summary: "Write policy files in canonical form, with every comment",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary:
      "Policies and *.perms.toml; - is standard input; by default the workspace's two policies",
  }],
  flags: [
    { name: "check", summary: "Write nothing; fail if a file is not in canonical form" },
    WORKSPACE_FLAG,
  ],
  details: [
    "The canonical form has no indent, one space around =, plain quotes, one blank line between tables, and short lists in one " +
    "line. The keys of a rule have the order pattern, action, comment, reason, expires_at, match, " +
    "not_match; those of a test have the order call, expect, mode, rule, why. The order of rules and settings does not change.",
    "fmt keeps the meaning, comments, line endings, byte order mark and mode of a file. If one file has an error, it writes " +
    "none. Where a # caliban-ignore comment would ignore other findings in canonical form, it leaves the table or list as it is, " +
    "with a note. With - it writes the result to standard output.",
  ],
  examples: [
    { command: "caliban perms fmt", says: "format the policies of this workspace" },
    { command: "caliban perms fmt --check", says: "for CI: name the files that are not formatted" },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "every file is in canonical form now" },
    { status: 1, meaning: "with --check: a file is not in canonical form" },
  ],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
