import type { AgentName } from "../../agents/registry.ts";
import { agentGap } from "../../lint/checks/agent_gap.ts";
import { FINDING_IDS } from "../../lint/registry.ts";
import type { Selection } from "../../lint/run_checks.ts";
import { agentNamed } from "../write/agent_settings.ts";
import { UsageError } from "../errors/errors.ts";
import { flagValue, flagValues, hasFlag } from "../args/invocation.ts";
import type { Invocation } from "../args/verb.ts";

const AGENT_GAP = agentGap.id;

/** The treatment of fixes: ignored, shown as a diff, or written. */
export type FixMode = "look" | "show" | "write";

/** The findings that `--select` and `--ignore` want. Throws UsageError for an id that there is not. */
export function selectionOf(invocation: Invocation): Selection {
  const select = idsOf(invocation, "select");
  const ignore = idsOf(invocation, "ignore");
  return { ...(select.length === 0 ? {} : { select }), ignore };
}

/** The agents that `--agent` names, each once. Throws UsageError for an unknown one, and where a finding needs one. */
export function agentsOf(
  invocation: Invocation,
  { select = [] }: Selection,
): readonly AgentName[] {
  const agents = [...new Set(flagValues(invocation, "agent").map(agentNamed))];
  if (agents.length > 0 || !select.includes(AGENT_GAP)) return agents;
  throw new UsageError(`${AGENT_GAP} needs an agent: name it with --agent`, {
    hint: "For example:",
    command: `caliban perms lint --select ${AGENT_GAP} --agent codex`,
  });
}

/** Checks and returns an id. Throws UsageError for an unknown finding. */
export function knownId(id: string): string {
  if (FINDING_IDS.includes(id)) return id;
  throw new UsageError(`Unknown finding "${id}"`, {
    unknown: { word: id, known: FINDING_IDS },
    hint: `The findings are: ${FINDING_IDS.join(", ")}`,
  });
}

/** The number of warnings to accept. Throws UsageError for a value that is not a whole number. */
export function maxWarnings(invocation: Invocation): number {
  const value = flagValue(invocation, "max-warnings") ?? "0";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(
    `Flag "--max-warnings" cannot be "${value}": expected a whole number from 0`,
  );
}

/** The mode that `--fix` and `--diff` select. Throws UsageError for `--diff` alone. */
export function fixMode(invocation: Invocation): FixMode {
  const diff = hasFlag(invocation, "diff");
  if (hasFlag(invocation, "fix")) return diff ? "show" : "write";
  if (!diff) return "look";
  throw new UsageError("--diff needs --fix", {
    hint: "Give both:",
    command: "caliban perms lint --fix --diff",
  });
}

/** The ids of a flag, in the order given; between two commas there must be one. */
function idsOf(invocation: Invocation, flag: string): readonly string[] {
  return flagValues(invocation, flag)
    .flatMap((value) => value.split(","))
    .map((id) => knownId(id.trim()));
}
