/**
 * caliban decides whether a coding agent may make a tool call: `allow`, `deny` or `ask`, from rules in TOML files.
 *
 * @example
 * ```ts ignore
 * import { loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy();
 * const verdict = policy.evaluate({ tool: "Bash", input: { command: "git push" } });
 * console.log(verdict.action, verdict.rule?.source.path, verdict.rule?.source.line);
 * ```
 *
 * @module
 */
import { chooseRuntime } from "./lib/io/choose_runtime.ts";
import { type LoadedPolicy, openPolicy, type PolicyOptions } from "./lib/io/load_policy.ts";

export * from "./lib/core.ts";
export { LoadError } from "./lib/io/load_error.ts";
export type { PolicyFacts } from "./lib/io/find_facts.ts";
export type { LoadedPolicy, PolicyOptions, RuleText } from "./lib/io/load_policy.ts";
export { FileError, type FileFault } from "./lib/io/runtime.ts";
export { SourceError } from "./lib/sources/source_error.ts";

/** What `loadPolicy` may be told; all of it can be left out. */
export interface LoadPolicyOptions extends Omit<PolicyOptions, "start"> {
  /** Where the search for the workspace starts; the current directory when left out. */
  readonly cwd?: string;
}

/**
 * Reads the policy that holds for a folder: managed, local, project, user and built-in rules, and what the options add.
 *
 * Throws PolicyError when a file or a pattern has an error, LoadError when a file cannot be read, SourceError when the
 * environment does not say where a source stands. None of them may be answered with an allow.
 *
 * @example
 * ```ts ignore
 * import { loadPolicy } from "@caliban/perms";
 * const policy = await loadPolicy({ cwd: "/home/me/project" });
 * const verdict = policy.evaluate({ tool: "Write", input: { path: "src/main.ts" } });
 * if (verdict.action !== "allow") console.log(verdict.reason);
 * ```
 */
export async function loadPolicy(options: LoadPolicyOptions = {}): Promise<LoadedPolicy> {
  const { cwd, ...rest } = options;
  return await openPolicy(await chooseRuntime(), {
    ...rest,
    ...(cwd === undefined ? {} : { start: cwd }),
  });
}
