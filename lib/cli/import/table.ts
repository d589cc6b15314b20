import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms import`. */
export const IMPORT: Verb = {
  path: ["perms", "import"],
  summary: "Print another agent's rules as a permissions.toml, or add them to a policy",
  operands: [],
  flags: [
    { name: "from", value: "FILE", summary: "The other agent's file" },
    {
      name: "format",
      value: "NAME",
      choices: [
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
      ],
      summary:
        "Whose file it is; told from its name and text when left out: claude, codex, gemini, opencode, cursor, " +
        "copilot, droid, qwen, kimi, robota, rulesync",
    },
    { ...SCOPE_FLAG, summary: `${SCOPE_FLAG.summary}; without it nothing is written` },
    { name: "strict", summary: "Fail where a rule cannot be kept exactly" },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Every rule keeps its meaning, or what it loses is said on standard error: widened (it says less than it did), narrowed " +
    "(it is stricter now) or dropped. With --strict that is a failure (65), and nothing is printed or written.",
    'With --scope the rules are added as "caliban perms add" does it: comments stay, and a deny or ask goes above the ' +
    "first rule that would beat it. An entry that cannot be read stops the whole import (65).",
    'With --json: {"format", "rules", "hooks", "defaultMode", "losses"}; with --scope also "path", "added" and "stood".',
  ],
  examples: [{
    command: "caliban perms import --help",
    says: "caliban perms import --from .claude/settings.json prints Claude Code's rules as ours",
  }],
  permissions: ["read", "env", "write"],
  load: () => import("./run.ts"),
};
