import { JSON_FLAG } from "../args/flags.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms audit`. */
export const AUDIT: Verb = {
  path: ["perms", "audit"],
  summary: "Show the decisions in the audit log",
  operands: [],
  flags: [
    {
      name: "since",
      value: "TIME",
      summary: "Only from this time on: 2h, 7d, 2026-11-22T08:00:00Z",
    },
    { name: "until", value: "TIME", summary: "Only before this time" },
    {
      name: "tool",
      value: "NAME",
      completes: "tools",
      repeatable: true,
      summary: "Only calls of this tool; * and ? work as in patterns",
    },
    {
      name: "action",
      choices: ["allow", "deny", "ask"],
      repeatable: true,
      summary: "Only decisions with this action",
    },
    { name: "head", value: "N", summary: "Stop after N decisions" },
    { name: "follow", summary: "Wait for new decisions, until Ctrl-C" },
    JSON_FLAG,
  ],
  details: [
    "The log is $XDG_STATE_HOME/caliban/audit.jsonl, by default ~/.local/state/caliban/audit.jsonl " +
    '(%LOCALAPPDATA%\\caliban\\). "audit_log = true" under [permissions] enables it. At 100 MiB the log is ' +
    "compressed into a file beside it; audit shows compressed logs too, oldest first.",
    "A TIME is a duration before now (90s, 30m, 2h, 7d, 2w), a date (midnight UTC) or an RFC 3339 time.",
    "With --json: one JSON object per line, as in the log. Secrets are masked and file contents omitted when a " +
    "decision is written, not when it is shown.",
  ],
  examples: [{
    command: "caliban perms audit --since 7d --action deny",
    says: "the calls denied in the last seven days",
  }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
