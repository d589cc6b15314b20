import { appliesTo } from "../../policy/compile/compile_policy.ts";
import { mergeSources } from "../../policy/sources/merge.ts";
import { teamSources } from "../../suite/team_sources.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import { compiled, type LoadedPolicy, type PolicyOptions } from "./load_policy.ts";
import { loadLooks } from "./load_looks.ts";
import { loadSources } from "./load_sources.ts";
import type { Runtime } from "../runtime/runtime.ts";

/**
 * The policy without what only this machine has: managed, local and user files, and files that the environment names, its
 * workspace trusted; errors in those do not matter then. Throws PolicyError, LoadError and SourceError as `openPolicy` does.
 */
export async function openTeamPolicy(
  runtime: Runtime,
  options: Pick<PolicyOptions, "workspace" | "rules" | "off">,
): Promise<LoadedPolicy> {
  const merging = { defaultTools: [...DEFAULT_TOOLS], appliesTo };
  const { off = [], rules = [], ...rest } = options;
  const looking = loadLooks(runtime);
  const loaded = await loadSources(looking, {
    ...rest,
    ...merging,
    trust: "given",
    rules,
    off: [...new Set([...off, "user" as const])],
  });
  const entries = teamSources(loaded.merged, {
    rules: rules.length > 0 ? "named" : "none",
  });
  return await compiled(runtime, { loaded, merged: mergeSources(entries, merging), looking });
}
