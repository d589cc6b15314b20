import { type LoadedPolicy, openPolicy, type PolicyOptions } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import type { ToolCall } from "../../model/call.ts";
import type { OffSwitch } from "../../policy/sources/source.ts";
import { flagValue, flagValues, hasFlag, type Invocation, ruleFlags } from "../args/verb.ts";

const OFF: readonly OffSwitch[] = ["user", "project", "builtin"];

/** The options for sources that the flags of a command line set. */
export function policyOptions(invocation: Invocation): PolicyOptions {
  const workspace = flagValue(invocation, "workspace");
  return {
    cli: ruleFlags(invocation),
    rules: flagValues(invocation, "rules"),
    off: OFF.filter((source) => hasFlag(invocation, `no-${source}`)),
    ...(workspace === undefined ? {} : { workspace }),
    ...(hasFlag(invocation, "trust") ? { trust: "given" } : {}),
  };
}

/** Sentences for a person about a call that only trust in the workspace would allow; mostly none. */
export async function trustWarnings(
  { isTrusted, policy }: LoadedPolicy,
  { call, now }: { readonly call: ToolCall; readonly now: number },
): Promise<readonly string[]> {
  if (isTrusted) return [];
  const { awaitingTrust } = await import("../../suggest/awaiting_trust.ts");
  const warning = awaitingTrust(policy, call, { now });
  return warning === undefined ? [] : [warning];
}

/** The line with `--trust`, for a verb that judges a policy as it counts once somebody trusts it. */
export function trusting(invocation: Invocation): Invocation {
  return { ...invocation, flags: [...invocation.flags, { name: "trust" }] };
}

/**
 * Loads the policy that the flags name, and prints its warnings on stderr; with `tell: "problems"` not the settings that did not
 * count, for a verb that shows it itself.
 */
export async function openPolicyFor(
  invocation: Invocation,
  runtime: Runtime,
  { tell = "all" }: { readonly tell?: "all" | "problems" } = {},
): Promise<LoadedPolicy> {
  const policy = await openPolicy(runtime, policyOptions(invocation));
  if (policy.warnings.length > 0 || policy.sources.notices.length > 0) {
    const { printPolicyWarnings } = await import("./policy_warnings.ts");
    await printPolicyWarnings(policy, { invocation, runtime, tell });
  }
  return policy;
}
