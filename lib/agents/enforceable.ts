import type { Action } from "../model/action.ts";
import { matchGlob } from "../pattern/match_glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import type { Capabilities } from "./agent.ts";
import type { AgentName } from "./agent_name.ts";
import { agentFacts } from "./tool_names.ts";
import { WIRES } from "./wires.ts";

/** A rule as far as it matters here. */
export interface AgentRule {
  /** Its pattern. */
  readonly pattern: string;
  /** What it says. */
  readonly action: Action;
}

/** Why a rule does not hold with an agent as it is written. */
export interface AgentGap {
  /** `stricter`: more is denied than the rule says; `open`: calls that it is about can run unseen. */
  readonly id: "stricter" | "open";
  /** One sentence without a final full stop. */
  readonly why: string;
}

/** Why a rule does not hold with an agent as it is written; empty where it does. Never throws. */
export function enforceable(agent: AgentName, rule: AgentRule): readonly AgentGap[] {
  const { capabilities } = WIRES[agent];
  const { title } = agentFacts(agent);
  return [
    ...(rule.action === "ask" && capabilities.ask === "nothing"
      ? [{
        id: "stricter" as const,
        why: `a hook of ${title} cannot have anybody asked, so that this ask is a deny`,
      }]
      : []),
    ...(rule.action === "allow" ? [] : unseenBy(rule, capabilities).map((what) => ({
      id: "open" as const,
      why: `${title}: ${what}`,
    }))),
  ];
}

/** What of a rule's calls has no event. */
function unseenBy({ pattern }: AgentRule, { unseen }: Capabilities): readonly string[] {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return [];
  return unseen.flatMap(({ tool, what }) =>
    tool !== undefined && matchGlob(parsed.value.tool, tool) ? [what] : []
  );
}
