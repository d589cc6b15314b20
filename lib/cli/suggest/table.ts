import { JSON_FLAG, SCOPE_FLAG, SOURCE_FLAGS } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms suggest`. */
export const SUGGEST: Verb = {
  path: ["perms", "suggest"],
  summary: "Suggest a few narrow allow rules that would answer most asks",
  step: "keep",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Recorded calls, also .gz; - is standard input; by default the audit log",
  }],
  flags: [
    {
      name: "cover",
      value: "PERCENT",
      summary: "Stop when this share of the answerable asks is answered; 90 by default",
    },
    { name: "max", value: "N", summary: "The most rules to suggest, up to 100; 10 by default" },
    {
      name: "permission-mode",
      choices: ["default", "acceptEdits"],
      summary: "The mode that decides the calls; default unless given",
    },
    SCOPE_FLAG,
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Reads the same records as caliban perms replay, decides each call with the current policy, and tries rules " +
    "in the place where caliban perms add would put them. Nothing is written: each rule is shown with the " +
    "command that adds it, recorded calls that it would have allowed, and other short calls that it would allow " +
    "too.",
    "A rule names a program and its subcommand, a short command or a file verbatim, a folder of the workspace, a " +
    "host or an MCP tool. It suggests no rule with a lint finding, and none for calls that a safety check or an " +
    "ask rule with a specifier asks about, or that cannot be analysed.",
    "Files are read twice, the second time to count the calls that the rules really answer. Calls from standard " +
    "input are kept in memory, up to 20,000 distinct ones. The workspace's files are trusted here.",
  ],
  examples: [
    {
      command: `echo '{"tool":"Bash","input":{"command":"git push"}}' | caliban suggest -`,
      says: "suggest a rule for calls from another program",
    },
    {
      command: "caliban perms suggest --max 5 --scope local",
      says: "suggest five rules for yourself, from the audit log",
    },
  ],
  statuses: [
    {
      status: EXIT.ok,
      meaning: "every line was read; 65 if a line could not be read (the others count)",
    },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
