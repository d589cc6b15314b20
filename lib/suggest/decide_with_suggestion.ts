import { decide, type DecideOptions } from "../decide/decide.ts";
import { evaluateCall } from "../decide/evaluate.ts";
import type { ToolCall } from "../model/call.ts";
import type { Decision } from "../model/verdict.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import type { Request } from "../policy/compile/request.ts";
import { narrowPattern } from "./call_pattern.ts";
import { withFlagFor } from "./policy_with_rules.ts";

/** Options of `decideCall`. */
export interface CallOptions extends DecideOptions {
  /** The time now, in ms since 1970-01-01T00:00Z. */
  readonly now: number;
}

/**
 * Decides a call. If it is denied because nobody can be asked, the reason names a rule that would allow it, if there is
 * one. Throws TypeError for a malformed call.
 */
export function decideCall(policy: CompiledPolicy, call: ToolCall, options: CallOptions): Decision {
  const evaluation = evaluateCall(policy, call, { now: options.now });
  const decision = decide(policy, evaluation, options);
  return withSuggestedRule(policy, decision, { ...options, request: evaluation.request });
}

/**
 * The decision with a rule in its reason that would allow the call, if it is denied because nobody can be asked.
 */
export function withSuggestedRule(
  policy: CompiledPolicy,
  decision: Decision,
  options: CallOptions & { readonly request: Request },
): Decision {
  const { verdict, decidedBy } = decision;
  const { now, request } = options;
  if (decidedBy !== "headless" || verdict.by === "safety") return decision;
  const { call } = verdict;
  const pattern = narrowPattern(request);
  if (pattern === undefined || !isSafeInSingleQuotes(pattern)) return decision;
  const rule = { pattern, action: "allow" } as const;
  const changed = withFlagFor(policy, { rule, verdict, tool: call.tool });
  if (changed === undefined) return decision;
  const after = decide(changed, evaluateCall(changed, call, { now }), options);
  if (after.decision !== "allow") return decision;
  return { ...decision, reason: `${decision.reason}; --allow '${pattern}' would allow it` };
}

/** True if the text between single quotes is the same for a shell and a reader. */
function isSafeInSingleQuotes(pattern: string): boolean {
  return !/['\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Surrogate}]/u.test(pattern);
}
