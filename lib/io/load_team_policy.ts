import { compilePolicy } from "../policy/compile_policy.ts";
import { PolicyError } from "../policy/policy_error.ts";
import { speaksOf } from "../policy/speaks_of.ts";
import { evaluate } from "../engine/evaluate.ts";
import { mergeSources } from "../sources/merge.ts";
import { teamEntries } from "../suite/team_sources.ts";
import { DEFAULT_TOOLS } from "../tools/profiles.ts";
import { type LoadedPolicy, pathContext, type PolicyOptions } from "./load_policy.ts";
import { loadSources } from "./load_sources.ts";
import type { Runtime } from "./runtime.ts";

/**
 * The policy without what only this machine has: managed, local and user files, files that the environment names, and
 * recorded trust; errors in those do not matter then. Throws PolicyError, LoadError and SourceError as `openPolicy` does.
 */
export async function openTeamPolicy(
  runtime: Runtime,
  options: Pick<PolicyOptions, "workspace" | "rules" | "off" | "trust">,
): Promise<LoadedPolicy> {
  const merging = { defaultTools: [...DEFAULT_TOOLS], speaksOf };
  const { off = [], rules = [], trust, ...rest } = options;
  const loaded = await loadSources(runtime, {
    ...rest,
    ...merging,
    rules,
    off: [...new Set([...off, "user" as const])],
  });
  const entries = teamEntries(loaded.merged, {
    rules: rules.length > 0 ? "named" : "none",
    trust: trust === "given" ? "given" : "none",
  });
  const { policy, problems } = compilePolicy(mergeSources(entries, merging), {
    context: pathContext(runtime, loaded),
    cwd: loaded.cwd,
  });
  if (!policy) throw new PolicyError(problems);
  const { merged: _, ...facts } = loaded;
  return {
    policy,
    facts,
    warnings: problems,
    rules: policy.rules,
    sources: policy.sources,
    evaluate: (call, { trace } = {}) =>
      evaluate(policy, call, { now: runtime.now(), ...(trace === undefined ? {} : { trace }) }),
  };
}
