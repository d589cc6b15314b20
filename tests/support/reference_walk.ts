import type { Action } from "../../lib/model/action.ts";
import type { ToolCall } from "../../lib/model/call.ts";
import type { VerdictBy } from "../../lib/model/verdict.ts";
import type { Policy } from "../../lib/policy/policy.ts";

/** How the walk of one call ends, and at which rule. */
export interface ReferenceEnd {
  /** What it says. */
  readonly action: Action;
  /** Who says it. */
  readonly by: VerdictBy;
  /** The rule's index; undefined when none fits. */
  readonly index: number | undefined;
}

/** The walk as SPEC 3 and 4 tell it, over the list of all rules that speak of the tool. */
export function referenceWalk(policy: Policy, call: ToolCall): ReferenceEnd {
  const facts = policy.facts(call);
  const rules = policy.entries(call.tool).map(({ rule, matches }) => ({
    rule,
    match: matches(facts),
  }));
  const answers = ({ action, source: { kind } }: (typeof rules)[number]["rule"]) =>
    action === "allow" && (kind === "session" || kind === "command");
  const decider = rules.find(({ rule, match }) => match === "yes" && !answers(rule))?.rule;
  const before = rules.filter(({ rule }) => decider === undefined || rule.index < decider.index);
  const raised = before.find(({ rule, match }) => match === "unknown" && rule.action !== "allow");
  const answer = before.find(({ rule, match }) => match === "yes" && answers(rule));
  const action = decider?.action ?? "ask";
  if (action === "deny") return { action, by: "rule", index: decider!.index };
  if (raised) return { action: "ask", by: "safety", index: raised.rule.index };
  if (action === "ask" && answer) return { action: "allow", by: "rule", index: answer.rule.index };
  return { action, by: "rule", index: decider?.index };
}
