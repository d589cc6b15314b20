import { decide, type DecideOptions } from "../decide/decide.ts";
import { evaluate } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/decision.ts";
import type { Policy } from "../policy/compile/policy.ts";
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
  const verdict = evaluate(policy, call, { now: options.now });
  return withRemedy(policy, decide(policy, verdict, options), options);
}

/** A decision whose reason names the rule that would have allowed the call, where it is denied because nobody is asked. */
export function withRemedy(policy: Policy, decision: Decision, options: CallOptions): Decision {
  const { verdict, decidedBy } = decision;
  const { now } = options;
  if (decidedBy !== "headless" || verdict.by === "safety") return decision;
  const { call } = verdict;
  const pattern = narrowPattern(policy.request(call));
  if (pattern === undefined || !isQuotable(pattern)) return decision;
  const rule = { pattern, action: "allow" } as const;
  const changed = withFlagFor(policy, { rule, verdict, tool: call.tool });
  if (changed === undefined) return decision;
  const after = decide(changed, evaluate(changed, call, { now }), options);
  if (after.decision !== "allow") return decision;
  return { ...decision, reason: `${decision.reason}; --allow '${pattern}' would allow it` };
}

/** Whether a shell and a reader see the text as it is between single quotes. */
function isQuotable(pattern: string): boolean {
  return !/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(pattern);
}
