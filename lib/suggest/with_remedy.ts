import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Policy } from "../policy/policy.ts";
import { narrowPattern } from "./narrow_pattern.ts";

/**
 * A decision whose reason names what would answer its question: where nobody could be asked, the deny says which rule
 * would have allowed the call. Other decisions, and those of a safety check, stay as they are.
 */
export function withRemedy(
  decision: Decision,
  { policy, call }: { policy: Policy; call: ToolCall },
): Decision {
  if (decision.decidedBy !== "headless" || decision.verdict.by === "safety") return decision;
  const pattern = narrowPattern(policy.facts(call));
  if (pattern === undefined || pattern.includes("'")) return decision;
  return { ...decision, reason: `${decision.reason}; --allow '${pattern}' would allow it` };
}
