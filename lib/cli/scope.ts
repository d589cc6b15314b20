import type { PolicyFacts } from "../io/load/find_facts.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import { pathStyle } from "../policy/sources/path_style.ts";
import { NO_OPTIONS } from "../policy/sources/source.ts";
import { SOURCES } from "../policy/sources/registry.ts";
import type { Scope } from "../suggest/remedy.ts";
import { UsageError } from "./errors.ts";

/** A file that rules are written to. */
export interface ScopeFile {
  /** Its scope. */
  readonly scope: Scope;
  /** Its absolute path. */
  readonly path: string;
  /** How many folders above it may be made when they are missing. */
  readonly newFolders: number;
  /** The workspace that it belongs to, out of which no link leads the writing; null for the user's own. */
  readonly within: string | null;
}

/**
 * The file that `--scope` names; the project's when it is left out. Throws UsageError without it in the home folder and
 * in `/`, unless `.caliban/` is there: a policy there would hold for far more than one project.
 */
export function scopeFile(
  runtime: Runtime,
  { facts, scope }: { facts: PolicyFacts; scope: string | undefined },
): ScopeFile {
  const { workspace, home, platform } = facts;
  const style = pathStyle(platform);
  const wide = workspace === home || style.split(workspace).segments.length === 0;
  if (
    scope === undefined && wide && runtime.stat(style.join(workspace, ".caliban")) === undefined
  ) {
    throw new UsageError(`The workspace is ${workspace}, which is more than one project`, {
      hint: "Go to the project's folder, or say --scope user for a rule that holds everywhere",
    });
  }
  const named = (scope ?? "project") as Scope;
  return {
    scope: named,
    path: pathFor(named, { runtime, facts }),
    newFolders: named === "user" ? 3 : 1,
    within: named === "user" ? null : workspace,
  };
}

function pathFor(
  scope: Scope,
  { runtime, facts }: { runtime: Runtime; facts: PolicyFacts },
): string {
  const { workspace, cwd, home, platform } = facts;
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
