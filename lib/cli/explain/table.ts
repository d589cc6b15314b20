import { JSON_FLAG, RULE_FLAGS, SOURCE_FLAGS } from "../common_flags.ts";
import { DECISION_FLAGS } from "../decision_flags.ts";
import { CALL_OPERANDS } from "../check/table.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms explain`. */
export const EXPLAIN: Verb = {
  path: ["perms", "explain"],
  summary: "Show rule by rule why a tool call is allowed, denied or asked about",
  operands: CALL_OPERANDS.map(({ optional: _, ...operand }, index) =>
    index === 0 ? operand : { ...operand, optional: true }
  ),
  flags: [
    ...DECISION_FLAGS,
    {
      name: "format",
      choices: ["text", "json", "mermaid"],
      summary: "How to write it; text when left out",
    },
    JSON_FLAG,
    ...RULE_FLAGS,
    ...SOURCE_FLAGS,
  ],
  details: [
    "Shows the sources that were read and those that are absent, every rule up to the one that decided with the reason " +
    "why it does not fit, later rules that would have fit, what the flags change, and the narrowest rule that would " +
    "change the outcome.",
  ],
  examples: [
    { command: "caliban explain Bash 'git push'", says: "why does this ask?" },
    { command: "caliban explain Bash 'git push' --format mermaid", says: "a picture of the walk" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
