import { evaluate } from "../decide/evaluate.ts";
import type { EvaluateOptions } from "../decide/first_match.ts";
import type { ToolCall } from "../model/call.ts";
import type { CompiledPolicy } from "../policy/compile/compiled_policy.ts";
import { isWorkspaceFile, ownerOf } from "../policy/sources/entry_text.ts";
import { recompiled } from "./policy_with_rules.ts";

/** The policy with its workspace trusted; undefined if that changes nothing. */
export function trustedPolicy(policy: CompiledPolicy): CompiledPolicy | undefined {
  return policy.derived(trusted);
}

function trusted(policy: CompiledPolicy): CompiledPolicy | undefined {
  const { notices, entries } = policy.sources;
  if (!notices.some(({ id }) => id === "untrusted")) return undefined;
  return recompiled(policy, entries.map((entry) => ({ ...entry, trusted: true })));
}

/**
 * Says that a call would be allowed if its workspace were trusted, in one sentence without a full stop; undefined if it is
 * allowed now, or would not be then.
 */
export function awaitingTrust(
  policy: CompiledPolicy,
  call: ToolCall,
  options: EvaluateOptions = {},
): string | undefined {
  const other = trustedPolicy(policy);
  if (other === undefined || evaluate(policy, call, options).action === "allow") return undefined;
  const { action, rule } = evaluate(other, call, options);
  if (action !== "allow") return undefined;
  return rule !== null && isWorkspaceFile(rule.source.kind)
    ? `the allow rule \`${rule.pattern}\` of ${
      ownerOf(rule.source.kind)
    } would allow it, but counts only after "caliban trust"`
    : 'settings of the workspace would let it be allowed, but count only after "caliban trust"';
}
