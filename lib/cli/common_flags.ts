import type { Flag } from "./flag.ts";

/** The flags of every verb; the frame adds them. */
export const EVERYWHERE: readonly Flag[] = [
  {
    name: "color",
    choices: ["auto", "always", "never"],
    summary: "Colour in what is printed; auto: on a terminal without NO_COLOR",
  },
  { name: "help", short: "h", summary: "Show this help" },
  { name: "version", summary: "Show the version" },
];

/** For verbs that can print JSON. */
export const JSON_FLAG: Flag = { name: "json", summary: "Print JSON" };

/** For verbs that look for the workspace. */
export const WORKSPACE_FLAG: Flag = {
  name: "workspace",
  value: "DIR",
  summary: "The workspace, instead of the nearest folder with .caliban/ or .git",
};

/** For verbs that read a policy: where its rules come from. */
export const SOURCE_FLAGS: readonly Flag[] = [
  WORKSPACE_FLAG,
  {
    name: "rules",
    value: "FILE",
    repeatable: true,
    summary: "Read this file too, above the workspace's own (also CALIBAN_RULES)",
  },
  { name: "no-user", summary: "Leave out the user's rules" },
  { name: "no-project", summary: "Leave out the workspace's rules" },
  { name: "no-builtin", summary: "Leave out the built-in rules" },
  { name: "trust", summary: "Count the workspace's files as trusted in this run" },
];

/** For verbs that take rules on the command line; their order counts. */
export const RULE_FLAGS: readonly Flag[] = [
  { name: "allow", value: "PATTERN", repeatable: true, summary: "Add a rule that allows" },
  { name: "deny", value: "PATTERN", repeatable: true, summary: "Add a rule that denies" },
  {
    name: "ask",
    value: "PATTERN",
    repeatable: true,
    summary: "Add a rule that asks; the first that fits decides",
  },
];
