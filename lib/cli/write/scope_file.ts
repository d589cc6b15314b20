import type { LoadedPolicy } from "../../io/load/load_policy.ts";
import type { PolicyLocation } from "../../io/load/policy_location.ts";
import type { Runtime } from "../../io/runtime/runtime.ts";
import { pathStyle } from "../../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../../policy/sources/source.ts";
import { SOURCES } from "../../policy/sources/source_order.ts";
import type { Scope } from "../../suggest/find_suggested_rule.ts";
import type { Adding } from "../../suggest/policy_with_rules.ts";
import { UsageError } from "../errors/errors.ts";

/** A file that rules are written to. */
export interface ScopeFile {
  readonly scope: Scope;
  /** Its absolute path. */
  readonly path: string;
  /** The number of missing parent folders that may be created. */
  readonly newFolders: number;
  /** The workspace that it belongs to, out of which no link leads the writing; null for the user's own. */
  readonly within: string | null;
}

/**
 * The file that `--scope` names; the project's by default. Throws UsageError without it in the home folder and
 * in `/`, unless `.caliban/` is there: a policy there would hold for far more than one project.
 */
export function scopeFile(
  runtime: Runtime,
  { location, scope }: { location: PolicyLocation; scope: string | undefined },
): ScopeFile {
  const { workspace, home, platform } = location;
  const style = pathStyle(platform);
  const wide = workspace === home || style.split(workspace).segments.length === 0;
  if (
    scope === undefined && wide && runtime.stat(style.join(workspace, ".caliban")) === undefined
  ) {
    throw new UsageError(`The workspace ${workspace} is more than one project`, {
      hint:
        "Change to the project's folder, or pass --scope user for a rule that applies everywhere",
    });
  }
  const named = (scope ?? "project") as Scope;
  return {
    scope: named,
    path: pathFor(named, { runtime, location }),
    newFolders: named === "user" ? 3 : 1,
    within: named === "user" ? null : workspace,
  };
}

function pathFor(
  scope: Scope,
  { runtime, location }: { runtime: Runtime; location: PolicyLocation },
): string {
  const { workspace, cwd, home, platform } = location;
  const [place] = SOURCES.find((source) => source.kind === scope)?.places({
    platform,
    workspace,
    cwd,
    home,
    env: (name) => runtime.env(name),
    options: NO_OPTIONS,
  }) ?? [];
  if (place === undefined) throw new RangeError(`The source ${scope} has no file`);
  return place.path;
}

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/** The effect of `add` on this machine, which adds by `add`; files that a flag excludes are omitted. */
export function addingFor(
  loaded: LoadedPolicy,
  { runtime, add }: { readonly runtime: Runtime; readonly add: Adding["add"] },
): Adding {
  const { location, sources: { entries } } = loaded;
  const wanted = takesProject(loaded, runtime) ? SCOPES : ["user" as const];
  const scopes = wanted.filter((scope) =>
    entries.some(({ kind, state }) => kind === scope && state !== "off")
  );
  return {
    files: scopes.map((scope) => scopeFile(runtime, { location, scope })),
    add,
  };
}

/** True if `add` without a scope writes to the project: not in the home folder, nor in `/`. */
function takesProject({ location }: LoadedPolicy, runtime: Runtime): boolean {
  try {
    scopeFile(runtime, { location, scope: undefined });
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}
