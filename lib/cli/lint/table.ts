import { JSON_FLAG, SOURCE_FLAGS } from "../common_flags.ts";
import { EXIT } from "../exit_status.ts";
import type { Verb } from "../verb.ts";

/** `caliban perms lint`. */
export const LINT: Verb = {
  path: ["perms", "lint"],
  summary: "Find what is wrong, needless or dangerous in policy files",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Files to look at; every file of the project and the user when left out",
  }],
  flags: [
    {
      name: "select",
      value: "IDS",
      repeatable: true,
      summary: "Only these findings: shadowed,redundant",
    },
    { name: "ignore", value: "IDS", repeatable: true, summary: "Not these findings" },
    {
      name: "max-warnings",
      value: "N",
      summary: "Up to how many warnings are no failure; 0 when left out",
    },
    {
      name: "agent",
      value: "NAME",
      repeatable: true,
      summary: "Also what this agent's hook cannot enforce: claude, codex, …",
    },
    { name: "fix", summary: "Mend what can be mended without changing a verdict" },
    { name: "diff", summary: "With --fix: show the change, and write nothing" },
    {
      name: "explain",
      value: "ID",
      summary: "Explain a finding: what, why, what to write instead",
    },
    {
      name: "format",
      choices: ["text", "json", "sarif", "github", "junit"],
      summary: "The format; text when left out",
    },
    JSON_FLAG,
    ...SOURCE_FLAGS,
  ],
  details: [
    "The findings: schema, never-matches, shadowed, order-trap, redundant, contradiction, duplicate, broad-allow, allows-exec, bare-missed, " +
    "leaky-prefix, deny-evadable, wrapper-blind, expired, expires-soon, unknown-tool, mcp-name, trailing-space, one-off, " +
    "secret-readable, self-modifying, not-analysed, example-fails, agent-gap (with --agent), ignore-comment.",
    "A file that is one of the policy's sources is judged among them; any other by itself, above the built-in rules. Workspace " +
    "files count as trusted here.",
    '"# caliban-ignore: ID why" on the line above a rule leaves a finding out; the why is required.',
    "--format sarif is SARIF 2.1.0, github workflow commands that GitHub shows as annotations, junit XML in which errors " +
    "and warnings are failures. They name files from the root of the repository.",
    "--fix applies fixes that change no verdict, which is checked before anything is written (under Deno it needs " +
    "--allow-write). A fix that does change verdicts is made only where --select names its finding.",
  ],
  examples: [
    { command: "caliban perms lint", says: "everything, as in CI" },
    { command: "caliban perms lint --explain shadowed", says: "what a finding means" },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "no error, and no more warnings than --max-warnings" },
    { status: 1, meaning: "an error, or more warnings than --max-warnings" },
  ],
  permissions: ["read", "env"],
  load: () => import("./run.ts"),
};
