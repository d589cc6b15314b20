import { type LoadedPolicy, openPolicy, type PolicyOptions } from "../io/load/load_policy.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import type { OffSwitch } from "../policy/sources/source.ts";
import { flagValue, flagValues, hasFlag, ruleFlags } from "./invocation.ts";
import type { Invocation } from "./verb.ts";

const OFF: readonly OffSwitch[] = ["user", "project", "builtin"];

/** What the flags of a command line say about the sources. */
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

/**
 * Loads the policy that the flags name, and says on stderr what is odd in it; with `tell: "problems"` not what did not
 * count, for a verb that shows it itself.
 */
export async function openFor(
  invocation: Invocation,
  runtime: Runtime,
  { tell = "all" }: { readonly tell?: "all" | "problems" } = {},
): Promise<LoadedPolicy> {
  const policy = await openPolicy(runtime, policyOptions(invocation));
  if (policy.warnings.length > 0 || policy.sources.notices.length > 0) {
    const { reportOddities } = await import("./report_oddities.ts");
    await reportOddities(policy, { invocation, runtime, tell });
  }
  return policy;
}
