import type { ToolCall } from "../model/call.ts";
import type { FileProblem } from "../model/problem.ts";
import type { Rule, Settings } from "../model/rule.ts";
import type { Verdict } from "../model/verdict.ts";
import { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { evaluate } from "./evaluate.ts";
import type { EvaluateOptions } from "./first_match.ts";

/** The rules that hold for a workspace, ready to be asked. It never changes. */
export interface Policy {
  /** All rules, highest first: the first that fits a call decides. */
  readonly rules: readonly Rule[];
  /** The settings of all sources together. */
  readonly settings: Settings;
  /** Non-fatal problems of the policy files. */
  readonly warnings: readonly FileProblem[];
  /** Evaluates a call by the rules alone, without modes, hooks or people. Throws TypeError for a malformed call. */
  evaluate(call: ToolCall, options?: EvaluateOptions): Verdict;
}

/** A policy with its compiled rules. */
export interface OpenPolicy extends Policy {
  /** The compiled rules. */
  readonly policy: CompiledPolicy;
}

/** A policy of compiled rules; `now` is the time of evaluations that name none, in ms since 1970-01-01T00:00Z. */
export function openPolicyOf(
  policy: CompiledPolicy,
  { warnings = [], now }: {
    readonly warnings?: readonly FileProblem[];
    readonly now?: () => number;
  } = {},
): OpenPolicy {
  return {
    policy,
    rules: policy.rules,
    settings: policy.settings,
    warnings,
    evaluate: (call, options = {}) =>
      evaluate(policy, call, { ...(now ? { now: now() } : {}), ...options }),
  };
}

/** The compiled rules of a policy. Throws TypeError for an object that caliban did not make. */
export function compiledOf(policy: Policy): CompiledPolicy {
  if ("policy" in policy && policy.policy instanceof CompiledPolicy) return policy.policy;
  throw new TypeError("Cannot use the policy: neither loadPolicy nor policyFromToml made it");
}
