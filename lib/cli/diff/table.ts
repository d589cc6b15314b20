import { JSON_FLAG, WORKSPACE_FLAG } from "../common_flags.ts";
import { EXIT } from "../exit_status.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms diff`. */
export const DIFF: Verb = {
  path: ["perms", "diff"],
  summary: "Show which calls two policies decide differently",
  operands: [
    { name: "old", summary: "What was: git:REV, a folder (. is the workspace) or a policy file" },
    { name: "new", summary: "What is now: the same, often . for the workspace" },
  ],
  flags: [
    {
      name: "fail-on",
      choices: ["loosened", "any", "unknown"],
      repeatable: true,
      summary: "Fail on that kind only: what may let more run, any difference, what is not known",
    },
    {
      name: "format",
      choices: ["text", "json", "markdown"],
      summary: "The format; text when left out, markdown for a comment on a pull request",
    },
    JSON_FLAG,
    WORKSPACE_FLAG,
    { name: "no-user", summary: "Leave out the user's rules, as in CI" },
    { name: "no-builtin", summary: "Leave out the built-in rules" },
  ],
  details: [
    "git:REV is that revision of the workspace's .caliban/ files, git:REV:PATH a folder or file of it by its path from the " +
    "repository's top. Of a folder only its .caliban/ files count; the managed, user and built-in rules are the same on both " +
    "sides, and so is a permissions.local.toml that git does not keep. A file (TOML, or JSON as export --format json prints it) " +
    "is a policy by itself, above the built-in rules.",
    "Every group of calls with another verdict is shown with a call to try and the rules that decide it, what lets more run " +
    "first. Patterns are relative to the workspace, and its files count as trusted on both sides. Verdicts are compared, and the " +
    "settings that change what comes of them; a setting that may let more run counts as loosened for --fail-on.",
    'In a git repository "caliban perms diff git:HEAD~1 ." shows what the last commit and later work change, and ' +
    '"caliban perms diff git:origin/main . --no-user --format markdown" is for a pull request.',
    "What was not compared to the end counts as a difference, also for --fail-on loosened; what was tried in many ways but not " +
    "searched (other spellings of commands) is said, and fails with --fail-on unknown only. git:REV " +
    "needs git (under Deno --allow-run=git); nothing that the repository configures is run.",
  ],
  examples: [
    {
      command: "caliban export --format json > old.json; caliban perms diff old.json .",
      says: "what changes after the rules were saved: nothing yet",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "no difference of the kind that is asked for" },
    { status: 1, meaning: "a difference; with --fail-on one of that kind" },
  ],
  permissions: ["read", "env", "run=git"],
  load: () => import("./run.ts"),
};
