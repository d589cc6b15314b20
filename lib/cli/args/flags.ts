import { MODES } from "../../decide/modes.ts";
import type { Flag } from "./verb.ts";

/** The flags of every verb; the frame adds them. */
export const EVERYWHERE: readonly Flag[] = [
  {
    name: "color",
    choices: ["auto", "always", "never"],
    summary: "Colour the output; auto: on a terminal without NO_COLOR",
  },
  { name: "help", short: "h", summary: "Show this help" },
  { name: "version", short: "V", summary: "Show the version" },
];

/** For verbs that can print JSON. */
export const JSON_FLAG: Flag = { name: "json", summary: "Print JSON" };

/** For verbs with several formats: `--format`, and `--json` for short. */
export function formatFlags(formats: readonly { readonly name: string }[]): readonly Flag[] {
  const choices = formats.map(({ name }) => name);
  return [{ name: "format", choices, summary: "The output format; text by default" }, JSON_FLAG];
}

/** For verbs that look for the workspace. */
export const WORKSPACE_FLAG: Flag = {
  name: "workspace",
  value: "DIR",
  summary: "The workspace; by default the nearest folder with .caliban/ or .git",
};

/** For verbs that read a policy: where its rules come from. */
export const SOURCE_FLAGS: readonly Flag[] = [
  WORKSPACE_FLAG,
  {
    name: "rules",
    value: "FILE",
    repeatable: true,
    summary: "Also read this file, with priority over the workspace's (also CALIBAN_RULES)",
  },
  { name: "no-user", summary: "Ignore the user's rules" },
  { name: "no-project", summary: "Ignore the workspace's rules" },
  { name: "no-builtin", summary: "Ignore the built-in rules" },
  { name: "trust", summary: "Trust the workspace's files in this run" },
];

/** For verbs that take rules on the command line; their order counts. */
export const RULE_FLAGS: readonly Flag[] = [
  { name: "allow", value: "PATTERN", repeatable: true, summary: "Add a rule that allows" },
  { name: "deny", value: "PATTERN", repeatable: true, summary: "Add a rule that denies" },
  {
    name: "ask",
    value: "PATTERN",
    repeatable: true,
    summary: "Add a rule that asks; the first match decides",
  },
];

/** For verbs that decide a call. */
export const DECISION_FLAGS: readonly Flag[] = [
  {
    name: "cwd",
    value: "DIR",
    summary: "The folder the call runs in; by default the current one",
  },
  {
    name: "permission-mode",
    choices: MODES.map(({ name }) => name),
    summary:
      "The mode (also CALIBAN_DEFAULT_PERMISSION_MODE); only this flag lets auto ask a model",
  },
  {
    name: "allow-dangerously-skip-permissions",
    summary: "Dangerous: permit the mode bypassPermissions, in this run only",
  },
  {
    name: "auto-mode-config",
    value: "FILE",
    summary: "In auto mode: also read this file, with priority over the workspace's auto-mode.toml",
  },
  { name: "disable-auto-mode", summary: "In auto mode: consult neither a model nor the lists" },
  { name: "headless", summary: "Nobody can be asked: ask becomes deny" },
  {
    name: "auto-allow",
    summary: "Dangerous: answer every question with allow (also CALIBAN_AUTO_ALLOW=1)",
  },
  { name: "no-permissions", summary: "Dangerous: switch the rules off" },
];

/** The sources that the writing verbs write. */
type Scope = "project" | "user" | "local";

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/** For verbs that write a policy file. */
export const SCOPE_FLAG: Flag = {
  name: "scope",
  choices: SCOPES,
  summary: "Which policy: the workspace's (project), yours in it (local), yours everywhere (user)",
};
