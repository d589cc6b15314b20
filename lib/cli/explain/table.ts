import { EXPLAIN_FORMATS } from "../../report/formats.ts";
import { DECISION_FLAGS, formatFlags, RULE_FLAGS, SOURCE_FLAGS } from "../args/flags.ts";
import { CALL_OPERANDS } from "../check/table.ts";
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
    ...formatFlags(EXPLAIN_FORMATS),
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Shows the sources that were read and those that are absent, each rule up to the deciding one and the reason " +
    "it does not match, later rules that would have matched, the effect of the flags, and the narrowest rule " +
    "that would change the outcome.",
  ],
  examples: [
    { command: "caliban explain Bash 'git push'", says: "why does this ask?" },
    {
      command: "caliban explain Bash 'git push' --format mermaid",
      says: "a diagram of the evaluation",
    },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
