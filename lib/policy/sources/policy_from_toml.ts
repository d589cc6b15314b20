import type { SourceEntry } from "../../model/source_entry.ts";
import { normalPath } from "../../pattern/path/normal_path.ts";
import type { PathContext } from "../../pattern/path/path_facts.ts";
import { compilePolicy } from "../compile/compile_policy.ts";
import { decodePolicy } from "../decode/decode_policy.ts";
import type { Policy } from "../compile/policy.ts";
import { PolicyError } from "../decode/policy_error.ts";
import { speaksOf } from "../compile/speaks_of.ts";
import { DEFAULT_TOOLS } from "../compile/profiles.ts";
import { builtinRules } from "./builtin.ts";
import { mergeSources } from "./merge.ts";

/** What a policy without a machine must be told; all of it can be left out. */
export interface PolicyTextOptions {
  /** The name that rules show as their file; `permissions.toml` when left out. */
  readonly path?: string;
  /** The workspace's absolute path, which is the cwd of calls that name none; `/workspace` when left out. */
  readonly workspace?: string;
  /** The home folder's absolute path; not known when left out. */
  readonly home?: string;
  /** The platform; `linux` when left out. */
  readonly platform?: PathContext["platform"];
  /** Follows links, as `PathContext` says; without it only written paths count. */
  readonly realPath?: (path: string) => string | null;
  /** `none` leaves the built-in rules out. */
  readonly builtin?: "none" | "included";
}

/**
 * Compiles the text of one permissions.toml, with the built-in rules below it: for tests, browsers and whoever keeps
 * policies elsewhere than in files. Throws PolicyError with everything that is wrong in it.
 *
 * @example
 * ```ts
 * import { evaluate, policyFromToml } from "@caliban/perms/core";
 * const policy = policyFromToml('[[permissions.rules]]\npattern = "Write:docs/**"\naction = "allow"\n');
 * const call = { tool: "Write", input: { path: "docs/a.md" } };
 * console.log(evaluate(policy, call).action); // "allow"
 * ```
 */
export function policyFromToml(text: string, options: PolicyTextOptions = {}): Policy {
  const { path = "permissions.toml", workspace = "/workspace", platform = "linux" } = options;
  const body = text.replace(/^\ufeff/, "");
  const entries: readonly SourceEntry[] = [
    { kind: "project", path, state: "read", text: body, file: decodePolicy(body), trusted: true },
    ...(options.builtin === "none" ? [] : [builtinEntry()]),
  ];
  const merged = mergeSources(entries, { defaultTools: [...DEFAULT_TOOLS], speaksOf });
  const normal = (folder: string) => {
    const found = normalPath(folder, { platform, cwd: folder });
    if (!found.ok) throw new RangeError(`Cannot use the folder "${folder}": ${found.detail}`);
    return found.path;
  };
  const { policy, problems } = compilePolicy(merged, {
    context: {
      platform,
      workspace: [normal(workspace)],
      home: options.home === undefined ? [] : [normal(options.home)],
      ignoreCase: platform !== "linux",
      ...(options.realPath ? { realPath: options.realPath } : {}),
    },
    cwd: workspace,
  });
  if (!policy) throw new PolicyError(problems);
  return policy;
}

function builtinEntry(): SourceEntry {
  return {
    kind: "builtin",
    path: "defaults/permissions.toml",
    state: "read",
    rules: builtinRules(),
    trusted: true,
  };
}
