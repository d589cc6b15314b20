import type { Action } from "../model/call.ts";
import { matchGlob } from "../pattern/glob.ts";
import { parsePattern } from "../pattern/parse_pattern.ts";
import { agentProfile, type Capabilities } from "./profile.ts";
import type { AgentName } from "./registry.ts";

/** A rule, as far as an agent can enforce it or not. */
export interface AgentRule {
  readonly pattern: string;
  readonly action: Action;
}

/** A difference between a rule and its effect with an agent. */
export interface AgentGap {
  /** `stricter`: the agent denies more than the rule; `open`: calls that the rule matches can run unseen. */
  readonly id: "stricter" | "open";
  /** One sentence without a final full stop. */
  readonly why: string;
}

/** The differences between a rule and its effect with an agent; empty where there is none. Never throws. */
export function enforceable(agent: AgentName, rule: AgentRule): readonly AgentGap[] {
  const { title, hook } = agentProfile(agent);
  const stricter = {
    id: "stricter",
    why: `the hook of ${title} cannot ask anybody, so this ask is a deny`,
  } as const;
  const isStricter = rule.action === "ask" && hook.ask === "nothing";
  const unseen = rule.action === "allow" ? [] : unseenBy(rule, hook);
  return [
    ...(isStricter ? [stricter] : []),
    ...unseen.map((what) => ({ id: "open" as const, why: `${title}: ${what}` })),
  ];
}

/** The calls of a rule that have no event. */
function unseenBy({ pattern }: AgentRule, { unseen }: Capabilities): readonly string[] {
  const parsed = parsePattern(pattern);
  if (!parsed.ok) return [];
  return unseen.flatMap(({ tool, what }) =>
    tool !== undefined && matchGlob(parsed.value.tool, tool) ? [what] : []
  );
}
