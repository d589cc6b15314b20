import { decide, type DecideOptions } from "../engine/decide.ts";
import { evaluate } from "../engine/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Policy } from "../policy/policy.ts";
import { narrowPattern } from "./narrow_pattern.ts";
import { withFlagFor } from "./with_flag.ts";

/** How a call is decided, and when. */
export interface CallOptions extends DecideOptions {
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/**
 * What happens to a call. Where nobody could be asked, the reason names the rule that would have allowed it, if there is
 * one. Throws TypeError for a call that is none.
 */
export function decideCall(policy: Policy, call: ToolCall, options: CallOptions): Decision {
  const { now } = options;
  const verdict = evaluate(policy, call, { now });
  const decision = decide(policy, verdict, options);
  if (decision.decidedBy !== "headless" || verdict.by === "safety") return decision;
  const pattern = narrowPattern(policy.facts(call));
  if (pattern === undefined || !isQuotable(pattern)) return decision;
  const rule = { pattern, action: "allow" } as const;
  const changed = withFlagFor(policy, { rule, verdict, tool: call.tool });
  if (changed === undefined || evaluate(changed, call, { now }).action !== "allow") return decision;
  return { ...decision, reason: `${decision.reason}; --allow '${pattern}' would allow it` };
}

/** Whether a shell and a reader see the text as it is between single quotes. */
function isQuotable(pattern: string): boolean {
  return !/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(pattern);
}
