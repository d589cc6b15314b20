import { type OpenPolicy, openPolicyOf } from "../../decide/policy.ts";
import type { MergedSources, PlacedRule, Rule } from "../../model/rule.ts";
import { singleRule } from "../../policy/sources/source_order.ts";
import { normalPath } from "../../pattern/path/normal_path.ts";
import type { PathContext } from "../../pattern/path/call_path.ts";
import { appliesTo, compilePolicy } from "../../policy/compile/compile_policy.ts";
import { DEFAULT_TOOLS } from "../../policy/compile/profiles.ts";
import type { PolicyFiles } from "./read_places.ts";
import type { PolicyLocation } from "./policy_location.ts";
import { loadLooks } from "./load_looks.ts";
import { type LoadedSources, loadSources } from "./load_sources.ts";
import { systemPrograms } from "./system_program.ts";
import { gitState } from "../git/git_state.ts";
import { folderRepository } from "../git/folder_repository.ts";
import { FileError, type Runtime } from "../runtime/runtime.ts";

/** A rule without a file. */
type RuleText = Pick<Rule, "pattern" | "action">;

/** Options of `loadPolicy`. */
export interface LoadPolicyOptions {
  /** The workspace's folder (`--workspace`), relative to the current directory; it must be there. */
  readonly workspace?: string;
  /** The folder in which the search for the workspace starts; the current directory by default. */
  readonly cwd?: string;
  /** Rules of the command line (`--allow`, `--deny`, `--ask`), in order. */
  readonly cli?: readonly Pick<Rule, "pattern" | "action">[];
  /** Further files (`--rules`), highest first; they must be there. `CALIBAN_RULES` is read when there are none. */
  readonly rules?: readonly string[];
  /** Rules that a person gave while running, newest first. Their allows only answer questions. */
  readonly session?: readonly Pick<Rule, "pattern" | "action">[];
  /** Rules that a command or skill carries for its own run. Their allows only answer questions. */
  readonly command?: readonly Pick<Rule, "pattern" | "action">[];
  /** Sources to leave out (`--no-user`); `project` is both files of the workspace. */
  readonly off?: readonly ("user" | "project" | "builtin")[];
  /** `recorded`: the workspace is trusted as `caliban trust` recorded it (the default); `given`: trusted in this run. */
  readonly trust?: "recorded" | "given";
}

/** Options of `openPolicy`. */
export interface PolicyOptions extends Omit<LoadPolicyOptions, "cwd"> {
  /** The folder in which the search for the workspace starts; the current directory by default. */
  readonly start?: string;
  /** The files that were read already for the same call, with the bound of them all. */
  readonly files?: PolicyFiles;
  /** The looks that were made already for the same call: `loadLooks` of the runtime. */
  readonly looking?: Runtime;
}

/** A policy of this machine, which follows its links and clock. */
export interface LoadedPolicy extends OpenPolicy {
  /** The folders that it was found in. */
  readonly location: PolicyLocation;
  /** True if the workspace is trusted, by the record or for this run, or has no policy file. */
  readonly isTrusted: boolean;
  /** True if the workspace is trusted for this run (`--trust`), also against the record. */
  readonly isTrustGiven: boolean;
  /** The merged sources, with the parts that were ignored. */
  readonly sources: MergedSources;
}

/**
 * Reads, merges and compiles all sources. Throws PolicyError when a file or a pattern has an error, LoadError when a file
 * cannot be read, SourceError if the environment does not define the path of a source.
 */
export async function openPolicy(
  runtime: Runtime,
  options: PolicyOptions = {},
): Promise<LoadedPolicy> {
  const { looking = loadLooks(runtime), ...rest } = options;
  const loaded = await loadSources(looking, {
    ...rest,
    session: placed(rest.session, "session"),
    command: placed(rest.command, "command"),
    defaultTools: [...DEFAULT_TOOLS],
    appliesTo,
  });
  const { rules } = loaded.merged;
  const looks = rules.some(({ pattern }) => pattern.value.includes("@"))
    ? await import("../packages/has_packages.ts")
    : undefined;
  return await compiled(runtime, { loaded, merged: loaded.merged, looks, looking });
}

/** Compiles merged sources for the machine that they were read on. Throws PolicyError. */
export async function compiled(
  runtime: Runtime,
  { loaded, merged, looks, looking }: {
    readonly loaded: LoadedSources;
    readonly merged: MergedSources;
    /** The runtime that they were read with. */
    readonly looking: Runtime;
    /** The looks that only rules about classes need. */
    readonly looks?: typeof import("../packages/has_packages.ts") | undefined;
  },
): Promise<LoadedPolicy> {
  const { repositories } = merged.settings;
  const context = pathContext(runtime, loaded, { repositories, looking });
  const { policy, problems } = compilePolicy(merged, {
    context: looks === undefined ? context : {
      ...context,
      hasPackages: (look, folder) => looks.hasPackages(runtime, { look, folder, location: loaded }),
    },
    cwd: loaded.cwd,
  });
  if (!policy) {
    const { PolicyError } = await import("../../policy/decode/policy_error.ts");
    throw new PolicyError(problems);
  }
  const { merged: _, isTrusted, isTrustGiven, ...location } = loaded;
  return {
    ...openPolicyOf(policy, { warnings: problems, now: () => runtime.now() }),
    location,
    isTrusted,
    isTrustGiven,
    sources: policy.sources,
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

/** The folders and links that path patterns are resolved with on this machine. */
export function pathContext(
  runtime: Runtime,
  location: PolicyLocation,
  { repositories = [], looking = runtime }: {
    readonly repositories?: readonly string[] | undefined;
    /** The runtime that the location was found with. */
    readonly looking?: Runtime;
  } = {},
): PathContext {
  const { platform } = location;
  // The answers of this context alone: another may have other folders and repositories.
  const kept = runtime.answers?.() ?? ((key, workOut) => workOut(key));
  return {
    platform,
    workspace: spellings([location.workspace, location.workspaceReal], platform),
    home: spellings([location.home, location.homeReal], platform),
    ignoreCase: platform !== "linux" || ignoresCase(looking, location.workspace),
    realPath: (path) => runtime.realPath(path),
    listFolder: (path) => runtime.listFolder(path),
    isSystemProgram: systemPrograms({ runtime, location }),
    gitRepository: (folder) =>
      kept(
        `repository ${folder}`,
        () => folderRepository(runtime, { folder, location, repositories }),
      ),
    textOf: (path) => textOf(runtime, path),
    gitState: (folder) =>
      kept(`git ${folder}`, () => gitState(runtime, { folder, location, repositories })),
  };
}

/** The text of a file; null if none is there, undefined if it cannot be read or is no file. */
function textOf(runtime: Runtime, path: string): string | null | undefined {
  try {
    const kind = runtime.stat(path);
    if (kind === undefined) return null;
    return kind === "file" ? runtime.readText(path) : undefined;
  } catch (error) {
    if (error instanceof FileError) return undefined;
    throw error;
  }
}

/** True if a folder of the workspace is there in capitals too: its file system ignores case, as a mounted drive of Windows does. */
function ignoresCase(runtime: Runtime, workspace: string): boolean {
  const isThere = (name: string) => runtime.stat(`${workspace}/${name}`) !== undefined;
  return [".caliban", ".git"].some((name) => isThere(name) && isThere(name.toUpperCase()));
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
