import { MODES } from "../../decide/modes/registry.ts";
import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import { EXIT } from "../exit_status.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms replay`. */
export const REPLAY: Verb = {
  path: ["perms", "replay"],
  summary: "Decide recorded calls again, and count what comes of it",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Records, also .gz; - is standard input; the audit log when left out",
  }],
  flags: [
    {
      name: "against",
      value: "OTHER",
      summary: "Show what another policy decides otherwise: git:REV, a folder or a file",
    },
    {
      name: "permission-mode",
      choices: MODES.map(({ name }) => name),
      summary: "The mode; default when left out, whatever files say",
    },
    JSON_FLAG,
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "A record has one JSON object a line: an audit log, calls as check --stdin takes them, hook events before a call, a transcript " +
    "of Claude Code. Each line is told by itself; lines without a call are passed over, and lines that cannot be read are " +
    "counted and named. Nothing is run, and no model is asked.",
    "Shown are the calls by decision, the rules that decided something and those that did not, what asks most, and for an audit log " +
    "what the rules said otherwise when it was written. An audit log leaves secrets and file contents out; calls that could be " +
    "decided otherwise for that are counted apart.",
    "With --against the policy in force is what is now, and OTHER what was; --rules, --allow, --deny and --ask count for what is " +
    "now. OTHER is read as caliban perms diff reads it, and under Deno git:REV needs --allow-run=git.",
  ],
  examples: [
    {
      command: `echo '{"tool":"Bash","input":{"command":"npm test"}}' | caliban perms replay -`,
      says: "what would be decided about calls that another program writes",
    },
    {
      command: "caliban perms replay --allow 'Bash(npm test:*)' --against .",
      says: "what a new rule would have changed of the calls in the audit log",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "every line was read; 65 where one was not, and the others count" },
  ],
  permissions: ["read", "env", "run=git"],
  load: () => import("./run.ts"),
};
