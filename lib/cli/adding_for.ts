import type { LoadedPolicy } from "../io/load/load_policy.ts";
import type { Runtime } from "../io/runtime/runtime.ts";
import type { Scope } from "../suggest/remedy.ts";
import type { Adding } from "../suggest/with_added.ts";
import type { ToolProfiles } from "../policy/compile/profiles.ts";
import { addToText } from "../policy/edit/add_to_text.ts";
import { UsageError } from "./errors.ts";
import { scopeFile } from "./scope.ts";

const SCOPES: readonly Scope[] = ["project", "user", "local"];

/** What `add` would do on this machine; files that a flag turned off are left out. */
export function addingFor(loaded: LoadedPolicy, runtime: Runtime): Adding {
  const { facts, sources: { entries }, policy: { profiles } } = loaded;
  const wanted = takesProject(loaded, runtime) ? SCOPES : ["user" as const];
  const scopes = wanted.filter((scope) =>
    entries.some(({ kind, state }) => kind === scope && state !== "off")
  );
  return {
    files: scopes.map((scope) => scopeFile(runtime, { facts, scope })),
    add: adder(profiles),
  };
}

/** What `add` makes of a file's text, for tools that are known so. */
export function adder(profiles: ToolProfiles): Adding["add"] {
  return (text, { pattern, action, first }) => {
    const result = addToText(text, { rule: { pattern, action }, first, profiles });
    return result.kind === "added" ? result.text : undefined;
  };
}

/** Whether `add` takes the project for meant where no scope is named: not in the home folder, nor in `/`. */
function takesProject({ facts }: LoadedPolicy, runtime: Runtime): boolean {
  try {
    scopeFile(runtime, { facts, scope: undefined });
    return true;
  } catch (error) {
    if (!(error instanceof UsageError)) throw error;
    return false;
  }
}
