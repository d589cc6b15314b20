import { MODES } from "../../decide/modes.ts";
import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms replay`. */
export const REPLAY: Verb = {
  path: ["perms", "replay"],
  summary: "Decide recorded calls again, and count the results",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Recorded calls, also .gz; - is standard input; by default the audit log",
  }],
  flags: [
    {
      name: "against",
      value: "OTHER",
      summary: "Compare with another policy: git:REV, a folder or a file",
    },
    {
      name: "permission-mode",
      choices: MODES.map(({ name }) => name),
      summary: "The mode; default unless given, even if a file sets another",
    },
    JSON_FLAG,
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "A record has one JSON object per line: an audit log, calls as check --stdin takes them, hook events before " +
    "a call, a transcript of Claude Code. Each line is recognised on its own; lines without a call are skipped, " +
    "and lines that cannot be read are counted and named. Nothing is run, and no model is asked.",
    "The report shows the calls by decision, the rules that decided calls and those that did not, the most " +
    "frequent asks, and for an audit log the verdicts that differ from those it recorded. An audit log omits " +
    "secrets and file contents; calls whose decision may depend on them are counted separately.",
    "With --against, the current policy is the new one and OTHER the old one; --rules, --allow, --deny and --ask " +
    "apply to the new one. OTHER takes the forms of caliban perms diff; under Deno git:REV needs --allow-run=git. " +
    "The workspace's files are trusted here, on both sides.",
  ],
  examples: [
    {
      command: `echo '{"tool":"Bash","input":{"command":"npm test"}}' | caliban perms replay -`,
      says: "decide calls from another program",
    },
    {
      command: "caliban perms replay --allow 'Bash(npm test:*)' --against .",
      says: "show the effect of a new rule on the calls in the audit log",
    },
  ],
  statuses: [
    {
      status: EXIT.ok,
      meaning: "every line was read; 65 if a line could not be read (the others count)",
    },
  ],
  permissions: ["read", "env", "run=git"],
  load: () => import("./run.ts"),
};
