import { EXPLAIN_FORMATS } from "../../report/formats.ts";
import { DECISION_FLAGS, formatFlags, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import { CALL_OPERANDS } from "../check/table.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms explain`. */
export const EXPLAIN: Verb = {
  path: ["perms", "explain"],
  summary: "Explain why a tool call is allowed, denied or asked about",
  step: "ask",
  operands: CALL_OPERANDS.map(({ optional: _, ...operand }, index) =>
    index === 0 ? operand : { ...operand, optional: true }
  ),
  flags: [
    ...DECISION_FLAGS,
    { name: "trace", short: "v", summary: "Show every source, and every rule in order" },
    ...formatFlags(EXPLAIN_FORMATS),
    { name: "exit-status", summary: "Exit with the decision, as check does" },
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Shows the decision, the rule that decides it with its place and text, each part of a line that asks or is " +
    "denied, and the narrowest rule that would change the outcome of the whole call. --trace shows the sources " +
    "that were read and those that are absent, each rule up to the deciding one and the reason it does not match, " +
    "later rules that would have matched, and the effect of the flags. The other formats always include this. The exit " +
    "status is 0 for every decision; with --exit-status it is that of check.",
  ],
  examples: [
    { command: "caliban explain Bash 'git push'", says: "why does this ask?" },
    { command: "caliban explain Bash 'git push' --trace", says: "why does my rule not decide?" },
    {
      command: "caliban explain Bash 'git push' --format mermaid",
      says: "a diagram of the evaluation",
    },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "explained; with --exit-status: allow" },
    { status: EXIT.deny, meaning: "deny, with --exit-status" },
    { status: EXIT.ask, meaning: "ask, with --exit-status" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
