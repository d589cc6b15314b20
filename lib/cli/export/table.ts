import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms export`. */
export const EXPORT: Verb = {
  path: ["perms", "export"],
  summary: "Print rules in another format, or a file of an older shape in today's",
  operands: [{
    name: "file",
    optional: true,
    summary: "One policy file; the whole list without the built-in rules when left out",
  }],
  flags: [
    {
      name: "format",
      value: "NAME",
      choices: [
        "toml",
        "json",
        "claude",
        "codex",
        "gemini",
        "opencode",
        "cursor",
        "copilot",
        "droid",
        "qwen",
        "kimi",
        "robota",
        "rulesync",
        "cedar",
      ],
      summary:
        "toml (when left out), json, claude, codex, gemini, opencode, cursor, copilot, droid, qwen, kimi, robota, " +
        "rulesync, cedar",
    },
    { name: "strict", summary: "Fail where a rule cannot be kept exactly" },
    {
      ...JSON_FLAG,
      summary: "Print the text and what was lost as JSON; for another agent's format",
    },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "For another agent every rule keeps its meaning, or what it loses is said on standard error: widened (it says less than " +
    "it did), narrowed (it is stricter now) or dropped. An allow is never widened. With --strict a loss is a failure (65).",
    "Print to another file than the one that is read: the shell empties the file behind > first.",
  ],
  examples: [{
    command: "caliban perms export --format json",
    says: "every rule that counts, highest first, for another program",
  }, {
    command: "caliban perms export --format claude",
    says: "the same as permissions of Claude Code's settings.json",
  }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
