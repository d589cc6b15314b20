import { DIFF_FORMATS } from "../../report/formats.ts";
import { formatFlags, WORKSPACE_FLAG } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms diff`. */
export const DIFF: Verb = {
  path: ["perms", "diff"],
  summary: "Show which calls two policies decide differently",
  step: "keep",
  operands: [
    {
      name: "old",
      summary: "The old policy: git:REV, a folder (. is the workspace) or a policy file",
    },
    { name: "new", summary: "The new policy: in the same form, often . for the workspace" },
  ],
  flags: [
    {
      name: "fail-on",
      choices: ["loosened", "any", "unknown"],
      repeatable: true,
      summary:
        "Fail only on this kind: a change that may allow more, any difference, an inexact comparison",
    },
    ...formatFlags(DIFF_FORMATS),
    WORKSPACE_FLAG,
    { name: "no-user", summary: "Ignore the user's rules, as in CI" },
    { name: "no-builtin", summary: "Ignore the built-in rules" },
  ],
  details: [
    "git:REV is the workspace's .caliban/ files at a revision; git:REV:PATH is a folder or file of that " +
    "revision, by its path from the repository root. Only the .caliban/ files of a folder count; managed, user " +
    "and built-in rules are the same on both sides, and so is a permissions.local.toml that git does not track. " +
    "A file (TOML, or JSON from export --format json) is a policy of its own, above the built-in rules.",
    "Each group of calls whose verdict changes is shown with a sample call and the deciding rules, changes that " +
    "allow more first. Patterns are relative to the workspace, and its files are trusted on both sides. The " +
    "comparison covers verdicts and the settings that affect decisions; a setting that may allow more counts as " +
    "loosened for --fail-on.",
    'In a git repository "caliban perms diff git:HEAD~1 ." shows the effect of the last commit and of ' +
    'uncommitted work; "caliban perms diff git:origin/main . --no-user --format markdown" is for a pull request. ' +
    "--format github prints workflow commands that GitHub shows beside the lines of the new policy: an error for each " +
    "change that fails the run, a notice for any other.",
    "An incomplete comparison counts as a difference, also for --fail-on loosened. A comparison by samples " +
    "(other spellings of commands) is reported, and fails only with --fail-on unknown. git:REV needs git (under " +
    "Deno --allow-run=git); nothing that the repository configures is run.",
  ],
  examples: [
    {
      command: "caliban export --format json > old.json; caliban perms diff old.json .",
      says: "compare saved rules with the current ones: no difference yet",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "no difference of the requested kind" },
    { status: 1, meaning: "a difference; with --fail-on, one of that kind" },
  ],
  permissions: ["read", "env", "run=git"],
  load: () => import("./run.ts"),
};
