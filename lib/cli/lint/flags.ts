import type { AgentName } from "../../agents/agent_name.ts";
import { agentGap } from "../../lint/checks/agent_gap.ts";
import { FINDING_IDS, type Selection } from "../../lint/run_checks.ts";
import { agentNamed } from "../agent_named.ts";
import { UsageError } from "../errors.ts";
import { flagValue, flagValues, hasFlag } from "../invocation.ts";
import type { Invocation } from "../verb.ts";

const AGENT_GAP = agentGap.id;

/** What is done with what can be mended. */
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
  throw new UsageError(`${AGENT_GAP} is about an agent: --agent names it`, {
    hint: "For example:",
    command: `caliban perms lint --select ${AGENT_GAP} --agent codex`,
  });
}

/** The id, which is checked. Throws UsageError when there is no such finding. */
export function knownId(id: string): string {
  if (FINDING_IDS.includes(id)) return id;
  throw new UsageError(`There is no finding "${id}"`, {
    unknown: { word: id, known: FINDING_IDS },
    hint: `They are: ${FINDING_IDS.join(", ")}`,
  });
}

/** How many warnings are no failure. Throws UsageError for what is no whole number. */
export function maxWarnings(invocation: Invocation): number {
  const value = flagValue(invocation, "max-warnings") ?? "0";
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(`Flag "--max-warnings" cannot be "${value}": it is a whole number from 0`);
}

/** What `--fix` and `--diff` want. Throws UsageError for `--diff` alone. */
export function fixMode(invocation: Invocation): FixMode {
  const diff = hasFlag(invocation, "diff");
  if (hasFlag(invocation, "fix")) return diff ? "show" : "write";
  if (!diff) return "look";
  throw new UsageError("--diff shows what --fix would do", {
    hint: "Give both:",
    command: "caliban perms lint --fix --diff",
  });
}

/** The format. Throws UsageError where `--json` contradicts `--format`. */
export function formatName(invocation: Invocation): string {
  const name = flagValue(invocation, "format");
  if (!hasFlag(invocation, "json")) return name ?? "text";
  if (name === undefined || name === "json") return "json";
  throw new UsageError(`--json and --format ${name} contradict each other`);
}

/** The ids of a flag, in the order given; between two commas there must be one. */
function idsOf(invocation: Invocation, flag: string): readonly string[] {
  return flagValues(invocation, flag)
    .flatMap((value) => value.split(","))
    .map((id) => knownId(id.trim()));
}
