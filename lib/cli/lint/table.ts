import { LINT_FORMATS } from "../../report/formats.ts";
import { formatFlags, SOURCE_FLAGS } from "../args/flags.ts";
import { EXIT } from "../errors/errors.ts";
import type { Verb } from "../args/verb.ts";

/** `caliban perms lint`. */
export const LINT: Verb = {
  path: ["perms", "lint"],
  summary: "Find errors, redundant rules and risks in policy files",
  step: "keep",
  operands: [{
    name: "file",
    optional: true,
    repeatable: true,
    summary: "Files to check; by default every file of the project and the user",
  }],
  flags: [
    {
      name: "select",
      value: "IDS",
      completes: "findings",
      repeatable: true,
      summary: "Only these findings: shadowed,redundant",
    },
    {
      name: "ignore",
      value: "IDS",
      completes: "findings",
      repeatable: true,
      summary: "Not these findings",
    },
    {
      name: "max-warnings",
      value: "N",
      summary: "The number of warnings to accept; 0 by default",
    },
    {
      name: "agent",
      value: "NAME",
      completes: "agents",
      repeatable: true,
      summary: "Also report rules that this agent's hook cannot enforce: claude, codex, …",
    },
    { name: "fix", summary: "Apply the fixes that change no verdict" },
    { name: "diff", summary: "With --fix: show the changes, and write nothing" },
    {
      name: "explain",
      value: "ID",
      completes: "findings",
      summary: "Explain a finding: its meaning, its risk and the remedy",
    },
    ...formatFlags(LINT_FORMATS),
    ...SOURCE_FLAGS,
  ],
  details: [
    "A file that is a source of the policy is checked together with the other sources; any other file is checked " +
    "alone, above the built-in rules. Workspace files are trusted here.",
    '"# caliban-ignore: ID why" on the line above a rule suppresses a finding; the reason is required. ' +
    "A file that does not load is reported whatever --select and --ignore name.",
    "--format sarif prints SARIF 2.1.0, github prints workflow commands that GitHub shows as annotations, and " +
    "junit prints XML in which errors and warnings are failures. Their paths are relative to the repository root. " +
    "concise prints one line per finding for editors, path:line:column: severity[id] message, with paths relative to " +
    "the current folder.",
    "--fix applies only fixes that change no verdict, and verifies this before it writes (under Deno it needs " +
    "--allow-write). A fix that changes verdicts is applied only if --select names its finding.",
  ],
  examples: [
    { command: "caliban perms lint", says: "check everything, as in CI" },
    { command: "caliban perms lint --explain shadowed", says: "explain a finding" },
  ],
  statuses: [
    { status: EXIT.ok, meaning: "no error, and no more warnings than --max-warnings" },
    { status: 1, meaning: "an error, or more warnings than --max-warnings" },
  ],
  permissions: ["read", "env"],
  async loadDetails() {
    const { CHECKS, FINDING_IDS } = await import("../../lint/registry.ts");
    const optional = CHECKS.filter(({ isOn }) => isOn !== undefined).map(({ id }) => id);
    const names = FINDING_IDS.map((id) => optional.includes(id) ? `${id} (with --agent)` : id);
    return [`The findings: ${names.join(", ")}.`];
  },
  load: () => import("./run.ts"),
};
