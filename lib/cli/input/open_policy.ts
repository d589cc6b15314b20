import { type LoadedPolicy, openPolicy, type PolicyOptions } from "../../io/load/load_policy.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
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
