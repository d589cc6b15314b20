import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { EXIT } from "../exit_status.ts";
import { SCOPE_FLAG } from "../scope_flag.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms suggest`. */
export const SUGGEST: Verb = {
  path: ["perms", "suggest"],
  summary: "Find the few narrow allow rules that would answer most asks",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Records, also .gz; - is standard input; the audit log when left out",
  }],
  flags: [
    {
      name: "cover",
      value: "PERCENT",
      summary: "Stop when so many of the asks that rules may answer are answered; 90 when left out",
    },
    { name: "max", value: "N", summary: "At most so many rules, up to 100; 10 when left out" },
    {
      name: "permission-mode",
      choices: ["default", "acceptEdits"],
      summary: "The mode that decides what is asked; default when left out",
    },
    SCOPE_FLAG,
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Reads what caliban perms replay reads, decides every call with the policy as it is, and tries rules where caliban perms add " +
    "would put them. Nothing is written: each rule is shown with the command that adds it, calls that it would have answered, and " +
    "short calls that are not recorded and that it would allow too.",
    "Rules are a program and its sub-command, a short command or a file to the letter, a folder of the workspace, a host or an MCP " +
    "tool. None that lint finds fault with is suggested, and none for what a safety check or an ask rule with a spec asks, or for " +
    "what cannot be known.",
    "Files are read twice, the second time to count what the rules really answer. Of standard input the calls are kept " +
    "in memory, up to 20,000 different ones. The workspace's files count as trusted here.",
  ],
  examples: [
    {
      command: `echo '{"tool":"Bash","input":{"command":"git push"}}' | caliban suggest -`,
      says: "a rule for calls that another program writes",
    },
    {
      command: "caliban perms suggest --max 5 --scope local",
      says: "five rules for yourself, from the audit log",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "every line was read; 65 where one was not, and the others count" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
