import { evaluate } from "../../decide/evaluate.ts";
import type { EvaluateOptions } from "../../decide/walk.ts";
import type { ToolCall } from "../../model/call.ts";
import type { FileProblem } from "../../model/problem.ts";
import type { Rule } from "../../model/rule.ts";
import type { Action } from "../../model/action.ts";
import type { MergedSources, PlacedRule } from "../../model/source_entry.ts";
import { singleRule } from "../../policy/sources/single_rule.ts";
import type { Verdict } from "../../model/verdict.ts";
import { normalPath } from "../../pattern/path/normal_path.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import { compilePolicy } from "../../policy/compile/compile_policy.ts";
import type { Policy } from "../../policy/compile/policy.ts";
import { PolicyError } from "../../policy/decode/policy_error.ts";
import { speaksOf } from "../../policy/compile/speaks_of.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import type { PolicyFacts } from "./find_facts.ts";
import { type LoadedSources, loadSources } from "./load_sources.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** A rule that stands in no file. */
export interface RuleText {
  /** Its pattern. */
  readonly pattern: string;
  /** What it says. */
  readonly action: Action;
}

/** What loading a policy may be told; all of it can be left out. */
export interface PolicyOptions {
  /** The workspace's folder (`--workspace`), relative to the current directory; it must be there. */
  readonly workspace?: string;
  /** Where the search for the workspace starts; the current directory when left out. */
  readonly start?: string;
  /** Rules of the command line (`--allow`, `--deny`, `--ask`), in their order. */
  readonly cli?: readonly RuleText[];
  /** Further files (`--rules`), highest first; they must be there. `CALIBAN_RULES` is read when there are none. */
  readonly rules?: readonly string[];
  /** Rules that a person gave while running, newest first. Their allows only answer questions. */
  readonly session?: readonly RuleText[];
  /** Rules that a command or skill carries for its own run. Their allows only answer questions. */
  readonly command?: readonly RuleText[];
  /** Sources to leave out (`--no-user`); `project` is both files of the workspace. */
  readonly off?: readonly ("user" | "project" | "builtin")[];
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: trusted in this run. */
  readonly trust?: "recorded" | "given";
}

/** A policy with the machine it was loaded on: links are followed and rules expire as they do there. */
export interface LoadedPolicy {
  /** The compiled policy. */
  readonly policy: Policy;
  /** Where it was found. */
  readonly facts: PolicyFacts;
  /** What is odd in its files, but no error. */
  readonly warnings: readonly FileProblem[];
  /** All rules, highest first. */
  readonly rules: readonly Rule[];
  /** What was read, and what of it did not count. */
  readonly sources: MergedSources;
  /** What the rules say about a call; synchronous. Throws TypeError for a call that is none. */
  evaluate(call: ToolCall, options?: Pick<EvaluateOptions, "trace">): Verdict;
}

/**
 * Reads, merges and compiles all sources. Throws PolicyError when a file or a pattern has an error, LoadError when a file
 * cannot be read, SourceError when the environment does not say where a source stands.
 */
export async function openPolicy(
  runtime: Runtime,
  options: PolicyOptions = {},
): Promise<LoadedPolicy> {
  const loaded = await loadSources(runtime, {
    ...options,
    session: placed(options.session, "session"),
    command: placed(options.command, "command"),
    defaultTools: [...DEFAULT_TOOLS],
    speaksOf,
  });
  return compiled(runtime, { loaded, merged: loaded.merged });
}

/** The policy of merged sources, in the surroundings that they were read in. Throws PolicyError. */
export function compiled(
  runtime: Runtime,
  { loaded, merged }: { readonly loaded: LoadedSources; readonly merged: MergedSources },
): LoadedPolicy {
  const { policy, problems } = compilePolicy(merged, {
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

function placed(
  rules: readonly RuleText[] = [],
  kind: "session" | "command",
): readonly PlacedRule[] {
  return rules.map(({ pattern, action }, index) =>
    singleRule(pattern, { action, source: { kind, path: kind, line: index + 1, column: 1 } })
  );
}

/** What path patterns are measured against on this machine. */
export function pathContext(runtime: Runtime, facts: PolicyFacts): PathContext {
  const { platform } = facts;
  return {
    platform,
    workspace: spellings([facts.workspace, facts.workspaceReal], platform),
    home: spellings([facts.home, facts.homeReal], platform),
    ignoreCase: platform !== "linux",
    realPath: (path) => runtime.realPath(path),
  };
}

/** The normal paths, each once. */
function spellings(
  folders: readonly (string | undefined)[],
  platform: PathContext["platform"],
): readonly string[] {
  const paths = folders.flatMap((folder) => {
    const normal = folder === undefined ? undefined : normalPath(folder, { platform, cwd: folder });
    return normal?.ok ? [normal.path] : [];
  });
  return [...new Set(paths)];
}
