import { JSON_FLAG } from "../common_flags.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms audit`. */
export const AUDIT: Verb = {
  path: ["perms", "audit"],
  summary: "Show the decisions that the audit log has",
  operands: [],
  flags: [
    { name: "since", value: "TIME", summary: "Only from then on: 2h, 7d, 2026-11-22T08:00:00Z" },
    { name: "until", value: "TIME", summary: "Only before then" },
    {
      name: "tool",
      value: "NAME",
      repeatable: true,
      summary: "Only calls of this tool; * and ? work as in patterns",
    },
    {
      name: "action",
      choices: ["allow", "deny", "ask"],
      repeatable: true,
      summary: "Only what ended so",
    },
    { name: "head", value: "N", summary: "Stop after N decisions" },
    { name: "follow", summary: "Wait for more, until Ctrl-C" },
    JSON_FLAG,
  ],
  details: [
    "The log is $XDG_STATE_HOME/caliban/audit.jsonl, else ~/.local/state/caliban/audit.jsonl (%LOCALAPPDATA%\\caliban\\). " +
    '"audit_log = true" under [permissions] switches it on. At 100 MiB it is packed away beside itself; packed logs are shown ' +
    "too, oldest first.",
    "A TIME is a span before now (90s, 30m, 2h, 7d, 2w), a date (its first moment in UTC) or an RFC 3339 time.",
    "With --json: one JSON object a line, as the log has it. Secrets are masked and file contents left out when a decision " +
    "is written, not when it is shown.",
  ],
  examples: [{
    command: "caliban perms audit --since 7d --action deny",
    says: "what was denied in the last seven days",
  }],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
